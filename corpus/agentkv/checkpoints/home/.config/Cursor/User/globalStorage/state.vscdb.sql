-- Roots by checkpoints: an id in hex, the bytes of one, one that is not there; a state is better.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

$json question$ {"role": "user", "content": "<user_query>\nhow far is Vega\n</user_query>"} $$
$json answer$ {"role": "assistant", "content": [{"type": "text", "text": "25 light years."}]} $$
$json other$ {"role": "assistant", "content": "An abandoned answer."} $$
$proto old$
1: id question
1: id other
$$
$proto root$
1: id question
1: id answer
$$

INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named;
INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"_v": 18, "composerId": "c1", "conversationState": "~"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c2', $json$ {"_v": 18, "composerId": "c2", "conversationState": "~"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c3', $json$ {"_v": 18, "composerId": "c3", "conversationState": "~"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c4', $json$ {"_v": 18, "composerId": "c4", "conversationState": "~${base64 root}"} $$);

INSERT INTO cursorDiskKV SELECT 'agentKv:checkpoint:c1', id FROM named WHERE name = 'root';
INSERT INTO cursorDiskKV VALUES ('agentKv:checkpoint:c2', $proto$ 1: id root $$);
UPDATE cursorDiskKV SET value = substr(value, 3) WHERE key = 'agentKv:checkpoint:c2';
INSERT INTO cursorDiskKV VALUES ('agentKv:checkpoint:c3', '1111111111111111111111111111111111111111111111111111111111111111');
INSERT INTO cursorDiskKV SELECT 'agentKv:checkpoint:c4', id FROM named WHERE name = 'old';
-- Without a composer.
INSERT INTO cursorDiskKV SELECT 'agentKv:checkpoint:c5', id FROM named WHERE name = 'root';
