-- Where the text is, and whose it is.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$
{
  "fullConversationHeadersOnly": [
    {"bubbleId": "a"}, {"bubbleId": "b"}, {"bubbleId": "c"}, {"bubbleId": "d"}, {"bubbleId": "e"},
    {"bubbleId": "f"}, {"bubbleId": "g"}, {"bubbleId": "h"}, {"bubbleId": "i"}, {"bubbleId": "j"},
    {"bubbleId": "k"}, {"bubbleId": "l"}, {"bubbleId": "m"}, {"bubbleId": "n"}
  ]
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a', $json$ {"type": 1, "bubbleId": "", "text": "in text", "rawText": "never seen"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b', $json$ {"type": "user", "bubbleId": "another", "text": " ", "rawText": "in rawText"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:c', $json$ {"type": "human", "content": "in content", "message": "never seen"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:d', $json$ {"type": 0, "text": null, "message": "in message", "finalText": "never seen"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:e', $json$ {"type": "ai", "finalText": "in finalText", "markdown": "never seen"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:f', $json$ {"type": "assistant", "markdown": "in markdown", "textDescription": "never seen"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:g', $json$ {"type": 7, "textDescription": "in textDescription"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:h', $json$
{
  "type": 1, "text": "",
  "richText": @string {
    "root": {"type": "root", "children": [
      {"type": "paragraph", "children": [
        {"type": "text", "text": "in "}, {"type": "mention", "text": "@loom.c"}, {"type": "linebreak"},
        {"type": "text", "text": "richText"}]},
      {"type": "paragraph", "children": []},
      {"type": "list", "children": [
        {"type": "listitem", "children": [{"type": "text", "text": "one"}]},
        {"type": "listitem", "children": [{"type": "text", "text": "two"}]}]}]}
  }
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:i', $json$ {"type": 1, "text": "", "richText": "richText that is plain"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:j', $json$ {"type": 99, "text": "of a kind that is not known yet"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:k', $json$ {"text": "of no kind at all"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:l', $json$
{"type": 2, "text": @string {"diff": {"chunks": [{"diffString": "-slack\n+taut", "oldStart": 3}]}}}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:m', $json$ {"type": 2, "text": "{\"diff\" is how it begins"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:n', $json$ {"type": 2, "text": "[REDACTED]\n\nA reply.\n\n[REDACTED]"} $$);
