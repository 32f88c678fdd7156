-- A blob and a composer that are longer than records may be.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

$json question$ {"role": "user", "content": "<user_query>\nhow far is Vega\n</user_query>"} $$
$json answer$ {"role": "assistant", "content": [{"type": "text", "text": "25 light years."}]} $$
$proto state$
1: id question
1: hex 2222222222222222222222222222222222222222222222222222222222222222
1: id answer
$$

INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name != 'state';
INSERT INTO cursorDiskKV VALUES ('agentKv:blob:2222222222222222222222222222222222222222222222222222222222222222', zeroblob(70000000));
INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"_v": 18, "composerId": "c1", "conversationState": "~${base64 state}"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c2', zeroblob(70000000));
