-- A database in the older mode.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

@rollback
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a', $json$ {"type": 1, "text": "is the loom on"} $$);
