-- Very old, in .cursor, in the older mode.
@rollback
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"name": "Loom"} $$);
