-- The file was cut.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

$json question$ {"role": "user", "content": "<user_query>\nhow far is Vega\n</user_query>"} $$
$json answer$ {"role": "assistant", "content": [{"type": "text", "text": "25 light years."}]} $$
$proto root$
1: id question
1: id answer
$$

INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named;
