-- A row of metadata without a value; the messages are found without it.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$json question$ {"role": "user", "content": "how far is Vega"} $$

INSERT INTO blobs SELECT id, data FROM named;

INSERT INTO meta VALUES ('0', NULL);
