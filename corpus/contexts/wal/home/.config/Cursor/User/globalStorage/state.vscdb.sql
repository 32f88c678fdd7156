-- Cursor runs: the last one is only in the -wal.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c1:b1', $json$ {"gitStatusRaw": "first"} $$);

@wal

INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c1:b2', $json$ {"gitStatusRaw": "second"} $$);
