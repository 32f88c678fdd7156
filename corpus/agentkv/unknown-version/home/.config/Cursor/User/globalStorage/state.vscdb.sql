-- A later version: another column, another version of composers, fields that nobody knows.
CREATE TABLE cursorDiskKV (key TEXT PRIMARY KEY, value BLOB, changed INTEGER) WITHOUT ROWID;

$json question$ {"role": "user", "content": "<user_query>\nhow far is Vega\n</user_query>"} $$
$proto state$
1: id question
60: { 1: "something new" }
61: fixed32 7
$$

INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data, 1 FROM named WHERE name = 'question';
INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"_v": 99, "conversationState": "~${base64 state}"} $$, 2);
