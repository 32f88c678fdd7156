-- No state: rows belong to the request that was begun last, and bubbles tell whose that is.
-- Nobody knows request-3; a row of the system ends what was before.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

$json s1$ {"role": "system", "content": "You are a coding assistant."} $$
$json i1$ {"role": "user", "content": "<user_info>\nWorkspace Path: /home/ada/orrery\n</user_info>"} $$
$json q1$ {"role": "user", "content": "how far is Vega", "providerOptions": {"cursor": {"requestId": "request-1"}}} $$
$json a1$ {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "t1", "toolName": "Grep", "args": {"pattern": "Vega"}}]} $$
$proto file$ 1: "A whole file that was read, with Vega in it." $$
$json r1$ {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "t1", "toolName": "Grep", "result": "vega.c:1"}]} $$
$json a2$ {"role": "assistant", "content": "25 light years."} $$
$json q2$ {"role": "user", "content": "and Altair", "providerOptions": {"cursor": {"requestId": "request-2"}}} $$
$json a3$ {"role": "assistant", "content": "17."} $$
$json q3$ {"role": "user", "content": "whose am I", "providerOptions": {"cursor": {"requestId": "request-3"}}} $$
$json a4$ {"role": "assistant", "content": "Nobody knows."} $$
$json s2$ {"role": "system", "content": "You are another assistant."} $$
$json lost$ {"role": "assistant", "content": "Of no request."} $$

INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name = 's1';
INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name = 'i1';
INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name = 'q1';
INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name = 'a1';
INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name = 'file';
INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name = 'r1';
INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name = 'a2';
INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, CAST(data AS TEXT) FROM named WHERE name = 'q2';
INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name = 'a3';
INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name = 'q3';
INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name = 'a4';
INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name = 's2';
INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name = 'lost';
INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"_v": 18, "composerId": "c1", "conversationState": "~"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b1', $json$ {"_v": 3, "type": 1, "text": "how far is Vega", "requestId": "request-1"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b2', $json$ {"_v": 3, "type": 2, "text": "25 light years.", "requestId": ""} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b3', NULL);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b4', 'not JSON');
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b5', $json$ {"_v": 3, "type": 1, "text": "and Altair", "requestId": "request-2"} $$);
-- Another conversation, the id of which begins in the same way.
INSERT INTO cursorDiskKV VALUES ('composerData:c12', $json$ {"_v": 18, "composerId": "c12", "conversationState": "~"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c12:b1', $json$ {"_v": 3, "type": 1, "text": "hello", "requestId": "request-9"} $$);
