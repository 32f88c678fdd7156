-- Versions that are not known are read as the newest, and told of.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"_v": 99, "fullConversationHeadersOnly": [{"bubbleId": "a"}, {"bubbleId": "b"}, {"bubbleId": "c"}, {"bubbleId": "d"}, {"bubbleId": "e"}]} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a', $json$ {"_v": 4, "type": 1, "text": "of version 4"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b', $json$ {"_v": "4b", "type": 2, "text": "of version 4b"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:c', $json$ {"_v": 4, "type": 2, "parts": [{"says": "CANARY"}]} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:d', $json$ {"_v": 2, "type": 2, "text": "of version 2"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:e', $json$ {"type": 2, "text": "of no version"} $$);
