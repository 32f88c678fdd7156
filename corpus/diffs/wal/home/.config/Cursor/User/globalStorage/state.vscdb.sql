-- Cursor runs: the last change is only in the -wal.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c1:d1', $json$ {"newModelDiffWrtV0": [{"modified": ["first"]}]} $$);

@wal

INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c1:d2', $json$ {"newModelDiffWrtV0": [{"modified": ["second"]}]} $$);
