-- Longer than records may be.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c1:d1', zeroblob(70000000));
INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c1:d2', $json$ {"newModelDiffWrtV0": [{"modified": ["short"]}]} $$);
