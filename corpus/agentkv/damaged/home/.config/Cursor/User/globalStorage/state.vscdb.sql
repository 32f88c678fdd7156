-- Values that are not what they should be.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

$json question$ {"role": "user", "content": "<user_query>\nhow far is Vega\n</user_query>"} $$
$text cut$
{"role":"assistant","content":"25 li
$$
$hex encrypted$ 8f3b 00ff 1277 a9c4 d2e1 5b60 91fe 07c3 44aa $$
$proto state$
1: id question
1: id cut
1: id encrypted
1: hex 1111111111111111111111111111111111111111111111111111111111111111
8: id encrypted
$$

INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name != 'state';
INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"_v": 18, "composerId": "c1", "conversationState": "~${base64 state}"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c2', $json$ {"_v": 18, "composerId": "c2", "conversationState": "~not*base64"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c3', $json$ {"_v": 18, "composerId": "c3", "conversationState": "~${base64 encrypted}"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c4', 'not JSON');
INSERT INTO cursorDiskKV VALUES ('composerData:c5', $json$ ["no", "object"] $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c6', $json$ {"conversationState": {"no": "string"}} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c7', $json$ {"_v": 18, "composerId": "c7", "conversationState": "~"} $$);
INSERT INTO cursorDiskKV VALUES ('agentKv:checkpoint:c7', 'no id');
