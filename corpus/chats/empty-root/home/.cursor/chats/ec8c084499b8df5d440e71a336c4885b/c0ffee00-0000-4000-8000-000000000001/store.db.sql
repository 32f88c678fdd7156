-- No root yet.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

INSERT INTO blobs VALUES ('b1', CAST($json$ {"role": "user", "content": "how far is Vega"} $$ AS BLOB));
INSERT INTO meta VALUES ('0', lower(hex($json$ {"agentId": "c0ffee00-0000-4000-8000-000000000001", "latestRootBlobId": ""} $$)));
