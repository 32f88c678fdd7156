-- Older roots: field 2 names turns, or nodes with more of them.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$json first$ {"role": "user", "content": "first"} $$
$json second$ {"role": "assistant", "content": "second"} $$
$proto user$ 1: "third" $$
$proto answer$ 1: { 1: "fourth" } $$
$proto turn$ 1: { 1: id user  2: id answer } $$
$proto node$
1: id first
1: id second
2: id turn
$$
$proto root$ 2: id node $$

INSERT INTO blobs SELECT id, data FROM named;

INSERT INTO meta VALUES ('0', lower(hex($json$ {"agentId": "c0ffee00-0000-4000-8000-000000000001", "latestRootBlobId": "${id root}"} $$)));
