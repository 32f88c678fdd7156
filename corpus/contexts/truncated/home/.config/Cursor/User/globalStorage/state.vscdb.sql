-- Cut in the middle of its pages.
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c1:a', json_object('x', 'CANARY' || hex(zeroblob(20000))));
