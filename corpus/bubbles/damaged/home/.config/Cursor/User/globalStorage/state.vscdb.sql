-- What is no JSON, or JSON of another shape, is skipped; the rest is read.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"fullConversationHeadersOnly": [{"bubbleId": "a"}, {"bubbleId": "b"}, {"bubbleId": "c"}, {"bubbleId": "d"}, {"bubbleId": "e"}]} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a', 'not JSON');
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b', $json$ ["a", "list"] $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:c', $text$
{"type":2,"text":"half of i
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:d', $json$ {"type": {"odd": 1}, "text": ["odd"], "thinking": 7, "toolFormerData": "odd", "codeBlocks": {"odd": 1}, "createdAt": {}} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:e', $json$ {"type": 2, "text": "fine"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c2', 'not JSON');
INSERT INTO cursorDiskKV VALUES ('bubbleId:c2:a', $json$ {"type": 1, "text": "without its composer"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c3', $json$ {"fullConversationHeadersOnly": {"odd": 1}, "conversation": "odd", "tabs": 7, "conversationMap": [1], "text": 7} $$);
INSERT INTO ItemTable VALUES ('composer.composerData', 'not JSON');
