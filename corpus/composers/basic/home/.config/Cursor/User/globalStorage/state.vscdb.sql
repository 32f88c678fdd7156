-- What a conversation's document tells beside its messages.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$
{
  "_v": 17, "composerId": "c1", "name": "Leaky loom", "subtitle": "loom.c",
  "createdAt": 1781016250000, "lastUpdatedAt": 1781016300000, "unifiedMode": "agent", "forceMode": "edit",
  "status": "completed", "contextTokensUsed": 5120, "contextTokenLimit": 200000,
  "modelConfig": {"modelName": "composer-2", "maxMode": false},
  "workspaceIdentifier": {"id": "9f1c", "uri": {"fsPath": "/home/ada/loom", "scheme": "file"}},
  "createdOnBranch": "main",
  "subagentComposerIds": ["c2", "task-call_x\nfc_y"], "subComposerIds": ["c3"],
  "todos": [{"id": "1", "content": "free the yarn", "status": "pending"}, {"id": "2", "content": "", "status": "pending"}, {"id": "3", "content": "wind it up", "status": "completed"}],
  "latestConversationSummary": {"summary": {"summary": "Ada hunts a leak in loom.c."}, "lastBubbleId": "b2"},
  "queueItems": [{"id": "q1", "text": "then run the tests"}, {"id": "q2", "richText": @string {"root": {"children": [{"children": [{"text": "and commit"}]}]}}}],
  "newlyCreatedFiles": [{"uri": {"fsPath": "/home/ada/loom/reed.c"}}, {"uri": {"fsPath": "/home/ada/loom/reed.h"}}],
  "context": {"fileSelections": [{"uri": {"fsPath": "/home/ada/loom/src/a.c"}}, {"uri": {"fsPath": "/home/ada/loom/b.c"}}]},
  "fullConversationHeadersOnly": [{"bubbleId": "b1", "type": 1}, {"bubbleId": "b2", "type": 2}],
  "text": "CANARY", "conversationState": "~CANARY", "codeBlockData": {"x": "CANARY"}, "originalFileStates": {"x": "CANARY"}
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b1', $json$ {"type": 1, "text": "CANARY"} $$);
