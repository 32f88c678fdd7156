-- Agents that an agent started: of old versions, under the id of the call, which may be two lines;
-- or inside the bubble of the call; of newer ones, conversations as all others.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$
{"createdAt": 1781016250000, "fullConversationHeadersOnly": [{"bubbleId": "a"}, {"bubbleId": "b"}, {"bubbleId": "c"}, {"bubbleId": "d"}]}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a', $json$ {"type": 1, "text": "search all looms"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b', $json$
{
  "type": 2, "text": "",
  "toolFormerData": {
    "tool": 48, "name": "task_v2", "toolCallId": "call_x\nfc_y",
    "params": @string {"description": "Search", "prompt": "search loom one"}
  }
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:c', $json$
{
  "type": 2, "text": "", "createdAt": "2026-06-09T14:45:00.000Z",
  "toolFormerData": {
    "tool": 48, "name": "task_v2", "toolCallId": "call_z", "params": @string {"prompt": "search loom two"},
    "additionalData": {"composerData": @string {
      "composerId": "inner", "createdAt": 1781016301000,
      "conversation": [{"bubbleId": "i1", "type": 1, "text": "search loom two"}, {"bubbleId": "i2", "type": 2, "text": "It is empty."}, {"bubbleId": "i3", "type": 1, "text": "look again"}]
    }}
  }
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:d', $json$
{
  "type": 2, "text": "",
  "toolFormerData": {"name": "task_v2", "params": @string {"prompt": "search loom three"}, "result": @string {"agentId": "c2", "text": "Done."}}
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:task-call_x' || char(10) || 'fc_y:b1', $json$ {"type": 1, "text": "search loom one"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:task-call_x' || char(10) || 'fc_y:b2', $json$ {"type": 2, "text": "Nothing there."} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c2', $json$
{"subagentInfo": {"parentComposerId": "c1"}, "fullConversationHeadersOnly": [{"bubbleId": "a"}, {"bubbleId": "b"}, {"bubbleId": "c"}]}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c2:a', $json$ {"type": 1, "text": "search loom three"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c2:b', $json$ {"type": 2, "text": "Found a thread."} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c2:c', $json$ {"type": 1, "text": "good, pull it"} $$);
-- An orphan links its child, too.
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:orphan', $json$ {"type": 2, "text": "", "toolFormerData": {"name": "task_v2", "toolCallId": "call_o", "params": "", "result": {"agentId": "c3"}}} $$);
-- What stands inside a bubble is damaged.
INSERT INTO cursorDiskKV VALUES ('bubbleId:c4:a', $json$ {"type": 2, "text": "", "toolFormerData": {"name": "task_v2", "toolCallId": "call_d", "params": "", "additionalData": {"composerData": "{\"conver"}}} $$);
