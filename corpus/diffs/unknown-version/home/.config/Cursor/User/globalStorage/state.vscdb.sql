-- Records of a shape that is not known are told of.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c1:d1', $json$ {"_v": 9, "newModelDiffWrtV9": [{"modified": ["CANARY"]}]} $$);
INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c1:d2', $json$ {"_v": 9, "newModelDiffWrtV0": [{"modified": ["known"], "novelty": "CANARY"}]} $$);
