CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c2:a', $json$ {"type": 1, "text": "of all windows"} $$);
