-- Two rows of metadata, and one that is none: each fact from the first that has it.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$json question$ {"role": "user", "content": "how far is Vega"} $$
$proto root$ 1: id question $$

INSERT INTO blobs SELECT id, data FROM named;

INSERT INTO meta VALUES ('0', lower(hex($json$ {"name": "Vega", "mode": "auto-run"} $$)));
INSERT INTO meta VALUES ('1', 'neither hex nor JSON');
INSERT INTO meta VALUES ('2', $json$ {"latestRootBlobId": "${id root}", "name": "Other"} $$);
