-- The state of the conversation stands in its composer: its messages are found from there.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

$json system$ {"role": "system", "content": "You are a coding assistant."} $$
$json info$ {"role": "user", "content": "<user_info>\nWorkspace Path: /home/ada/orrery\n</user_info>"} $$
$json question$
{
  "role": "user",
  "content": [{"type": "text", "text": "<timestamp>Tuesday, Jun 9, 2026, 2:44 PM (UTC+0)</timestamp>\n<user_query>\nhow far is Vega\n</user_query>"}],
  "providerOptions": {"cursor": {"requestId": "request-1"}}
}
$$
$json answer$
{
  "role": "assistant",
  "content": [
    {"type": "reasoning", "text": "Parallax.", "signature": "CANARY-signature"},
    {"type": "text", "text": "25 light years."}
  ],
  "providerOptions": {"cursor": {"modelName": "composer-2.5"}}
}
$$
$proto user$ 1: "how far is Vega" $$
$proto step$ 1: { 1: "25 light years." } $$
$proto shell$ 2: { 1: { 1: { 1: "ls" }  2: { 1: { 5: "vega.c" } } }  57: "t1" } $$
$proto turn$ 1: { 1: id user  2: id step  2: id shell  3: "request-1" } $$
$proto state$
1: id system
1: id info
1: id question
1: id answer
5: { 1: 1200  2: 200000 }
8: id turn
9: "file:///home/ada/orrery"
10: 1
$$

INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name != 'state';
INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"_v": 18, "composerId": "c1", "conversationState": "~${base64 state}"} $$);

-- What is not to be read: tokens, and blobs of others.
INSERT INTO ItemTable VALUES ('cursorAuth/accessToken', 'CANARY-token');
INSERT INTO cursorDiskKV VALUES ('agentKv:artifact:a1', 'CANARY-artifact');
INSERT INTO cursorDiskKV VALUES ('agentKv:bubbleCheckpoint:c1:b1', 'CANARY-checkpoint');
