-- Messages inside the conversation's document, as versions up to 2025 kept them.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:conversation', $json$
{
  "composerId": "conversation", "createdAt": 1737500000000, "text": "not said",
  "conversation": [
    {"bubbleId": "o1", "type": 1, "text": "hello"}, {"bubbleId": "o2", "type": 2, "text": "hi", "timestamp": 1737500009000},
    {"type": 1, "text": "no id"}, "no bubble", {"bubbleId": "o4", "type": 2, "thinking": "why", "text": "who knows"},
    {"bubbleId": "o4", "type": 2, "text": "an id that was used before"}
  ],
  "tabs": [{"bubbles": [{"type": 1, "text": "CANARY"}]}]
}
$$);
INSERT INTO cursorDiskKV VALUES ('composerData:map-of-bubbles', $json$
{
  "_v": 1, "fullConversationHeadersOnly": [{"bubbleId": "m2"}, {"bubbleId": "m1"}],
  "conversationMap": {"m1": {"bubbleId": "m1", "type": 2, "text": "second"}, "m2": {"bubbleId": "m2", "type": 1, "text": "first"}}
}
$$);
INSERT INTO cursorDiskKV VALUES ('composerData:map-of-lists', $json$
{"conversationMap": {"x": {"bubbles": [{"id": "l1", "type": "user", "text": "one"}, {"id": "l2", "type": "ai", "text": "two"}]}, "y": {"bubbles": []}}}
$$);
INSERT INTO cursorDiskKV VALUES ('composerData:tabs', $json$
{"tabs": [{"bubbles": [{"type": "user", "text": "in a tab"}]}, {}, {"bubbles": [{"type": "ai", "text": "in another tab"}]}]}
$$);
INSERT INTO cursorDiskKV VALUES ('composerData:child', $json$
{"subagentInfo": {"parentComposerId": "conversation"}, "conversation": [{"type": 1, "text": "do it"}, {"type": 2, "text": "done"}, {"type": 1, "text": "thanks"}]}
$$);
