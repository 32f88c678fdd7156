-- Cut in the middle of its pages.
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a', $json$ {"type": 1, "text": "before the cut"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b', json_object('type', 2, 'text', 'CANARY' || hex(zeroblob(20000))));
