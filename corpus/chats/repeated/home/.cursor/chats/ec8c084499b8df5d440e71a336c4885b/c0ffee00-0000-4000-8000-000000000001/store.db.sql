-- Said five times, and five times in the turns: the same words are the same blob.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$json continue$ {"role": "user", "content": "continue"} $$
$proto user$ 1: "continue" $$
$proto turn$ 1: { 1: id user } $$
$proto root$
1: id continue
1: id continue
1: id continue
1: id continue
1: id continue
8: id turn
8: id turn
8: id turn
8: id turn
8: id turn
$$

INSERT INTO blobs SELECT id, data FROM named;

INSERT INTO meta VALUES ('0', lower(hex($json$ {"agentId": "c0ffee00-0000-4000-8000-000000000001", "latestRootBlobId": "${id root}"} $$)));
