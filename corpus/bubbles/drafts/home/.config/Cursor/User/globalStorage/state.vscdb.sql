-- What was typed and not sent is the prompt of a conversation that has no other.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:plain', $json$ {"createdAt": 1781016250000, "text": " a draft ", "richText": "never seen", "fullConversationHeadersOnly": []} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:rich', $json$
{"text": "", "richText": @string {"root": {"children": [{"children": [{"text": "a rich "}, {"text": "draft"}]}]}}, "conversationMap": {}}
$$);
INSERT INTO cursorDiskKV VALUES ('composerData:none', $json$ {"text": "", "richText": @string {"root": {"children": [{"children": []}]}}} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:sent', $json$ {"text": "CANARY", "fullConversationHeadersOnly": [{"bubbleId": "lost", "type": 1}]} $$);
