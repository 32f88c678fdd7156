-- Nothing was changed.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c1:d1', $json$ {"newModelDiffWrtV0": [], "originalModelDiffWrtV0": []} $$);
INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c1:d2', NULL), ('codeBlockDiff:c1:d3', '');
INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c1:d4', $json$ {"newModelDiffWrtV0": [{"modified": ["", "  "]}]} $$);
