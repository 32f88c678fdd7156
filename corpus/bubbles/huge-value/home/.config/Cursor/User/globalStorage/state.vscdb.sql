-- Longer than records may be, and longer than texts may be.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"fullConversationHeadersOnly": [{"bubbleId": "a"}, {"bubbleId": "b"}, {"bubbleId": "c"}]} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a', $json$ {"type": 1, "text": "how long is a thread"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:c', $json$ {"type": 2, "text": "Very."} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c2', zeroblob(70000000));
INSERT INTO cursorDiskKV VALUES ('bubbleId:c2:a', $json$ {"type": 1, "text": "of a conversation that is too long"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b', zeroblob(70000000));
