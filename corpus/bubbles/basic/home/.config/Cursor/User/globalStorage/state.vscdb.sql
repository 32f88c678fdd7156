-- A turn as Cursor keeps it today: a prompt, a thought, tools, a reply, each a bubble of its own.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$
{
  "_v": 17, "composerId": "c1", "name": "Leaky loom", "createdAt": 1781016250000,
  "fullConversationHeadersOnly": [
    {"bubbleId": "b1", "type": 1},
    {"bubbleId": "b2", "type": 2, "serverBubbleId": "s2"},
    {"bubbleId": "b3", "type": 2},
    {"bubbleId": "b4", "type": 2},
    {"bubbleId": "b5", "type": 2},
    {"bubbleId": "b6"}
  ],
  "conversationMap": {}, "conversationState": "~", "text": "a draft that is not sent"
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b1', $json$
{
  "_v": 3, "type": 1, "bubbleId": "b1", "text": "why does the loom leak",
  "richText": @string {"root": {"children": [{"children": [{"text": "why does the loom leak"}]}]}},
  "createdAt": "2026-06-09T14:44:14.296Z", "unifiedMode": 2,
  "tokenCount": {"inputTokens": 0, "outputTokens": 0},
  "context": {"fileSelections": [{"uri": {"fsPath": "/home/ada/loom/loom.c"}}]}
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b2', $json$
{
  "_v": 3, "type": 2, "bubbleId": "b2", "text": "", "createdAt": "2026-06-09T14:44:16.000Z",
  "thinking": {"text": "Look at who frees the yarn.", "signature": "CANARY"},
  "allThinkingBlocks": [], "codeBlocks": [], "toolResults": [], "suggestedCodeBlocks": []
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b3', $json$
{
  "_v": 3, "type": 2, "bubbleId": "b3", "text": "", "createdAt": "2026-06-09T14:44:18.000Z",
  "toolFormerData": {
    "tool": 40, "name": "read_file_v2", "status": "completed", "toolCallId": "call_1\nfc_2",
    "params": @string {"targetFile": "/home/ada/loom/loom.c"}, "rawArgs": "",
    "result": @string {"contents": "void weave(void);", "totalLinesInFile": 1},
    "toolCallBinary": "CANARY"
  }
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b4', $json$
{"_v": 3, "type": 2, "bubbleId": "b4", "text": "", "toolFormerData": {"additionalData": {"status": "error"}}}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b5', $json$
{
  "_v": 3, "type": 2, "bubbleId": "b5", "text": "", "createdAt": "2026-06-09T14:44:20.000Z",
  "toolFormerData": {
    "tool": 15, "name": "run_terminal_cmd", "status": "cancelled", "userDecision": "rejected",
    "params": @string {"command": "rm -rf build", "requireUserApproval": true},
    "result": @string {"rejected": true}
  }
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b6', $json$
{
  "_v": 3, "type": 2, "bubbleId": "b6", "text": "Free `yarn` at the end of weave().",
  "createdAt": "2026-06-09T14:44:25.500Z", "modelInfo": {"modelName": "composer-2"},
  "tokenCount": {"inputTokens": 1200, "outputTokens": 34},
  "codeBlocks": [{"content": "free(yarn);", "languageId": "c", "uri": {"path": "/home/ada/loom/loom.c"}}]
}
$$);
