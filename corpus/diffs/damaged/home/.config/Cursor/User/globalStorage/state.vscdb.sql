-- What is no JSON, or JSON of another shape, is skipped; the rest is read.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c1:d1', 'not JSON');
INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c1:d2', '[]');
INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c1:d3', $json$ {"newModelDiffWrtV0": {"modified": ["odd"]}, "originalModelDiffWrtV0": [7, {"modified": "odd"}, {"modified": [7, "fine"]}]} $$);
