-- Longer than records may be.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c1:b1', zeroblob(70000000));
INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c1:b2', $json$ {"gitStatusRaw": "short"} $$);
