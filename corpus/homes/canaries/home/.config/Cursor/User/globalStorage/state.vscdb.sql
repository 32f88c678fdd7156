CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO ItemTable VALUES
  ('cursorAuth/accessToken', 'CANARY-access-token'),
  ('cursorAuth/refreshToken', 'CANARY-refresh-token'),
  ('cursorAuth/cachedEmail', 'CANARY@example.test'),
  ('secret://{"extensionId":"invented.example","key":"token"}', 'CANARY-secret'),
  ('workbench.panel.token', 'CANARY-panel-token'),
  ('history.entries', 'CANARY-history-entries'),
  ('apiKey', 'CANARY-api-key'),
  ('aiCodeTracking.dailyStats.v1.5.2026-06-09', '{"who": "CANARY-daily-stats"}'),
  ('aiService.prompts', '[{"text":"why does the gizmo leak","commandType":4}]');

INSERT INTO cursorDiskKV VALUES ('composerData:c0ffee00-0000-4000-8000-0000000000aa', $json$
{
  "_v": 17,
  "name": "Gizmo leak",
  "createdAt": 1781016250000,
  "fullConversationHeadersOnly": [{"bubbleId": "b1", "type": 1}, {"bubbleId": "b2", "type": 2}],
  "codeBlockData": {"/home/ada/widget/.env": {"content": "CANARY-code-block-data"}},
  "originalFileStates": {"/home/ada/widget/.env": {"content": "CANARY-original-file"}},
  "blobEncryptionKey": "CANARY-composer-key",
  "conversationState": "~"
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c0ffee00-0000-4000-8000-0000000000aa:b1', $json$
{"_v": 3, "type": 1, "text": "why does the gizmo leak", "images": [{"data": "CANARY-image-data", "uri": "data:image/png;base64,CANARY"}]}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c0ffee00-0000-4000-8000-0000000000aa:b2', $json$
{
  "_v": 3,
  "type": 2,
  "text": "",
  "thinking": {"text": "Look at free().", "signature": "CANARY-signature", "redactedThinking": "CANARY-redacted"},
  "toolFormerData": {
    "name": "read_file_v2",
    "params": @string {"targetFile": "/home/ada/widget/gizmo.c", "signature": "CANARY-params"},
    "result": @string {"contents": "void gizmo(void);", "imageBase64": "CANARY-result-base64", "icon": "data:image/png;base64,CANARY"},
    "toolCallBinary": "CANARY-tool-call-binary"
  }
}
$$);
INSERT INTO cursorDiskKV VALUES
  ('checkpointId:c0ffee00-0000-4000-8000-0000000000aa:k1', '{"files":[{"contents":"CANARY-checkpoint"}]}'),
  ('ofsContent:u1:file:///home/ada/widget/.env', 'CANARY-ofs-content'),
  ('composer.content.0badcafe', 'CANARY-composer-content'),
  ('inlineDiff:w1:d1', '{"text":"CANARY-inline-diff"}'),
  ('inlineDiffs-w1', '{"text":"CANARY-inline-diffs"}'),
  ('codeBlockPartialInlineDiffFates:c0ffee00-0000-4000-8000-0000000000aa:b2', '{"text":"CANARY-fates"}'),
  ('composerVirtualRowHeights:c0ffee00', '{"text":"CANARY-heights"}'),
  ('cloudAgent:x', 'CANARY-cloud-agent'),
  ('agentKv:artifact:x', 'CANARY-artifact'),
  ('codeBlockDiff:c0ffee00-0000-4000-8000-0000000000aa:d1', '{"newModelDiffWrtV0":[{"modified":["free(buf);"]}]}'),
  ('messageRequestContext:c0ffee00-0000-4000-8000-0000000000aa:b1', '{"gitStatusRaw":"M gizmo.c","projectLayouts":["{\"name\":\"CANARY-layout\"}"]}');

$json asked$
{
  "role": "user",
  "content": [{"type": "text", "text": "<user_query>\nwhy does the gizmo leak\n</user_query>"}],
  "providerOptions": {"cursor": {"requestId": "5b0c5d3e-0000-4000-8000-00000000000a"}}
}
$$
$json thought$
{
  "role": "assistant",
  "id": "1",
  "content": [
    {"type": "reasoning", "text": "The log says so.", "signature": "CANARY-agentkv-signature"},
    {"type": "redacted-reasoning", "data": "CANARY-agentkv-redacted"}
  ]
}
$$
INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named;
INSERT INTO cursorDiskKV VALUES ('agentKv:blob:' || lower(hex(zeroblob(32))), CAST('CANARY whole file' AS BLOB));
