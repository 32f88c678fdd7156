-- Ids that begin alike are not the same.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"fullConversationHeadersOnly": [{"bubbleId": "b"}]} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c10', $json$ {"fullConversationHeadersOnly": [{"bubbleId": "b"}]} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c1-2', $json$ {"text": "a draft"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b', $json$ {"type": 1, "text": "one"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c10:b', $json$ {"type": 1, "text": "ten"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1 3:b', $json$ {"type": 1, "text": "three"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b:c', $json$ {"type": 1, "text": "a bubble whose id has a colon"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId::b', $json$ {"type": 1, "text": "of no conversation"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:', $json$ {"text": "of none either"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleIdx:c9:b', $json$ {"type": 1, "text": "CANARY"} $$);
