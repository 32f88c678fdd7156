-- Thoughts of all versions.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$
{
  "fullConversationHeadersOnly": [
    {"bubbleId": "a"}, {"bubbleId": "b"}, {"bubbleId": "c"}, {"bubbleId": "d"}, {"bubbleId": "e"}
  ]
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a', $json$ {"_v": 3, "type": 2, "text": "", "thinking": {"text": "as an object", "signature": "CANARY", "redactedThinking": "CANARY"}} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b', $json$ {"_v": 2, "type": 2, "text": "and a reply", "thinking": "as a string"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:c', $json$
{"type": 2, "allThinkingBlocks": [{"thinking": "the first", "signature": "CANARY"}, {"text": "the second"}, "the third"]}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:d', $json$ {"type": 2, "thinking": {"text": "[REDACTED]"}} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:e', $json$ {"type": 2, "thinking": {"text": "", "signature": "CANARY"}} $$);
