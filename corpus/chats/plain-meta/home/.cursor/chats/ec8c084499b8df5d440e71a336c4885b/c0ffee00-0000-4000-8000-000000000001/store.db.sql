-- The metadata is JSON as it is, not its hex digits.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$json question$ {"role": "user", "content": "how far is Vega"} $$
$proto root$ 1: id question $$

INSERT INTO blobs SELECT id, data FROM named;

INSERT INTO meta VALUES ('0', $json$ {"latestRootBlobId": "${id root}", "name": "Vega"} $$);
