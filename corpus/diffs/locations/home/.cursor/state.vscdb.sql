-- Very old, in .cursor, in the older mode.
@rollback
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c1:d1', $json$ {"newModelDiffWrtV0": [{"modified": ["old"]}]} $$);
