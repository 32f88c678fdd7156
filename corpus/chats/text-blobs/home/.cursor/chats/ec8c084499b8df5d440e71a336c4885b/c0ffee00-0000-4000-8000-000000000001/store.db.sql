-- Blobs as TEXT: JSON, or the hex digits of it; one is empty, one is just a zero.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$json question$ {"role": "user", "content": "how far is Vega"} $$
$json answer$ {"role": "assistant", "content": "25 light years."} $$
$text nothing$
$$
$hex zero$ 00 $$
$proto root$
1: id question
1: id nothing
1: id zero
1: id answer
$$

INSERT INTO blobs SELECT id, CAST(data AS TEXT) FROM named WHERE name IN ('question', 'nothing');
INSERT INTO blobs SELECT id, lower(hex(data)) FROM named WHERE name = 'answer';
INSERT INTO blobs SELECT id, data FROM named WHERE name IN ('zero', 'root');
INSERT INTO meta VALUES ('0', lower(hex($json$ {"agentId": "c0ffee00-0000-4000-8000-000000000001", "latestRootBlobId": "${id root}"} $$)));
