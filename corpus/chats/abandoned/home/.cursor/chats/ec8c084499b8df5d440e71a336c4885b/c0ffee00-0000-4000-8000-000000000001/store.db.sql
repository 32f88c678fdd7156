-- The user went back: the root does not lead to the first answer any more.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$json question$ {"role": "user", "content": "how far is Vega"} $$
$json first$ {"role": "assistant", "content": "An abandoned answer."} $$
$json second$ {"role": "assistant", "content": "25 light years."} $$
$proto old-root$
1: id question
1: id first
$$
$proto root$
1: id question
1: id second
$$

INSERT INTO blobs SELECT id, data FROM named;

INSERT INTO meta VALUES ('0', lower(hex($json$ {"agentId": "c0ffee00-0000-4000-8000-000000000001", "latestRootBlobId": "${id root}"} $$)));
