-- A later version: more tables, more columns, more fields.
CREATE TABLE blobs (id TEXT PRIMARY KEY, kind INTEGER, data BLOB, size INTEGER);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT, changed INTEGER);
CREATE TABLE branches (id TEXT PRIMARY KEY);
PRAGMA user_version = 7;

$json question$ {"role": "user", "content": "how far is Vega", "format": 9} $$
$proto root$
1: id question
40: { 1: "something new" }
41: fixed64 12
$$

INSERT INTO blobs SELECT id, 1, data, length(data) FROM named;
INSERT INTO meta VALUES ('0', lower(hex($json$ {"latestRootBlobId": "${id root}", "vector": [1, 2]} $$)), 5);
