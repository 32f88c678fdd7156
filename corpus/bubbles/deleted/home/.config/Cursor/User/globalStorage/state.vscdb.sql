-- A conversation that was deleted left its bubbles behind.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', NULL);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b1', $json$ {"_v": 3, "type": 1, "text": "CANARY"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c2', $json$ {"fullConversationHeadersOnly": [{"bubbleId": "b1", "type": 1}]} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c2:b1', $json$ {"_v": 3, "type": 1, "text": "still here"} $$);
