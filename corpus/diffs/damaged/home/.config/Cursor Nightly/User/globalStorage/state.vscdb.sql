-- The page on which the second one goes on is damaged.
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c2:a', $json$ {"newModelDiffWrtV0": [{"modified": ["fine"]}]} $$);
INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c2:b', json_object('x', 'CANARY' || hex(zeroblob(6000))));
INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c2:c', $json$ {"newModelDiffWrtV0": [{"modified": ["fine"]}]} $$);
