-- The root names a message that is not there, or not any more.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$json question$ {"role": "user", "content": "how far is Vega"} $$
$json answer$ {"role": "assistant", "content": "25 light years."} $$
$proto root$
1: id question
1: hex 1111111111111111111111111111111111111111111111111111111111111111
1: id answer
$$

INSERT INTO blobs SELECT id, data FROM named;

INSERT INTO meta VALUES ('0', lower(hex($json$ {"agentId": "c0ffee00-0000-4000-8000-000000000001", "latestRootBlobId": "${id root}"} $$)));
