-- Calls and results, in messages and in turns.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

$json call$ {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "call_1\nfc_2", "toolName": "Read", "args": {"path": "/home/ada/orrery/moon.c"}}]} $$
$json result$ {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "call_1\nfc_2", "toolName": "Read", "result": "     1|int phase;"}]} $$
$proto read$ 2: { 8: { 1: { 1: "/home/ada/orrery/moon.c" }  2: { 1: { 1: "int phase;" } } }  57: "call_1" } $$
$proto edit$ 2: { 12: { 1: { 1: "/home/ada/orrery/moon.c"  6: "int phases;" }  2: { 1: { 5: "+int phases;" } } }  57: "call_3" } $$
$proto turn$ 1: { 2: id read  2: id edit } $$
$proto state$
1: id call
1: id result
8: id turn
$$

INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name != 'state';
INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"_v": 18, "composerId": "c1", "conversationState": "~${base64 state}"} $$);
