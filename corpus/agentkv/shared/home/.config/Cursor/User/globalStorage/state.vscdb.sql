-- Two conversations share their first messages: one is a copy of the other.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

$json question$ {"role": "user", "content": "<user_query>\nhow far is Vega\n</user_query>"} $$
$json answer$ {"role": "assistant", "content": [{"type": "text", "text": "25 light years."}]} $$
$json more$ {"role": "user", "content": "and Altair"} $$
$proto root$
1: id question
1: id answer
$$
$proto fork$
1: id question
1: id answer
1: id more
$$

INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named;
INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"_v": 18, "composerId": "c1", "conversationState": "~${base64 root}"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c2', $json$ {"_v": 18, "composerId": "c2", "conversationState": "~${base64 fork}"} $$);
