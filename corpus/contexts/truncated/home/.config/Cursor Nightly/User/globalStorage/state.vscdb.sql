-- A value that was cut.
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c1:a', '{"gitStatusRaw": "fi');
