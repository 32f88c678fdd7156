-- The page on which the second bubble goes on is damaged.
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c4:a', $json$ {"type": 1, "text": "before"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c4:b', json_object('type', 2, 'text', 'CANARY' || hex(zeroblob(6000))));
INSERT INTO cursorDiskKV VALUES ('bubbleId:c4:c', $json$ {"type": 2, "text": "after"} $$);
