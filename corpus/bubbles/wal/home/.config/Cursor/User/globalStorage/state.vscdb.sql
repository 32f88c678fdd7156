-- Cursor runs: the last turn is only in the -wal.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"fullConversationHeadersOnly": [{"bubbleId": "a", "type": 1}]} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a', $json$ {"type": 1, "text": "is the loom on"} $$);

@wal

INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b', $json$ {"type": 2, "text": "It is."} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"fullConversationHeadersOnly": [{"bubbleId": "a", "type": 1}, {"bubbleId": "b", "type": 2}]} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c2:a', $json$ {"type": 1, "text": "a conversation that is only in the -wal"} $$);
