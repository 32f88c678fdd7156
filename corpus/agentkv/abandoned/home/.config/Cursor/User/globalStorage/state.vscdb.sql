-- A request of a conversation with a state, in a branch that was abandoned: nobody's any more.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

$json question$ {"role": "user", "content": "how far is Vega", "providerOptions": {"cursor": {"requestId": "request-1"}}} $$
$json edited$ {"role": "user", "content": "how far is Wega", "providerOptions": {"cursor": {"requestId": "request-1"}}} $$
$json first$ {"role": "assistant", "content": "An abandoned answer."} $$
$json answer$ {"role": "assistant", "content": [{"type": "text", "text": "25 light years."}]} $$
$proto root$
1: id question
1: id answer
$$

INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name IN ('edited', 'first');
INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name NOT IN ('edited', 'first');
INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"_v": 18, "composerId": "c1", "conversationState": "~${base64 root}"} $$);
