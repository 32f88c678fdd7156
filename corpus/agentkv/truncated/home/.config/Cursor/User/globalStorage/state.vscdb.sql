-- The state was cut, and has half an id at its end.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

$json question$ {"role": "user", "content": "<user_query>\nhow far is Vega\n</user_query>"} $$
$json answer$ {"role": "assistant", "content": [{"type": "text", "text": "25 light years."}]} $$
$proto root$
1: id question
1: id answer
$$

INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named;

INSERT INTO cursorDiskKV SELECT 'agentKv:blob:1111111111111111111111111111111111111111111111111111111111111111', substr(data, 1, 50) FROM named WHERE name = 'root';
INSERT INTO cursorDiskKV VALUES ('agentKv:checkpoint:c1', '1111111111111111111111111111111111111111111111111111111111111111');
