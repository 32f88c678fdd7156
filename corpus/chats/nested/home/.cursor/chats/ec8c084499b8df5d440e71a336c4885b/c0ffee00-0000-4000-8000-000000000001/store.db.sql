-- Nodes that lead to messages, to each other, and to themselves.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$json one$ {"role": "user", "content": "one"} $$
$json two$ {"role": "assistant", "content": "two"} $$
$json three$ {"role": "user", "content": "three"} $$
$proto inner$
1: id two
1: hex 4444444444444444444444444444444444444444444444444444444444444444
$$
$proto root$
1: id one
1: id inner
1: id three
$$

INSERT INTO blobs SELECT id, data FROM named;

-- No hash can make a cycle, but a damaged or hostile database can.
INSERT INTO blobs SELECT '4444444444444444444444444444444444444444444444444444444444444444', data FROM named WHERE name = 'inner';
INSERT INTO meta VALUES ('0', lower(hex($json$ {"agentId": "c0ffee00-0000-4000-8000-000000000001", "latestRootBlobId": "${id root}"} $$)));
