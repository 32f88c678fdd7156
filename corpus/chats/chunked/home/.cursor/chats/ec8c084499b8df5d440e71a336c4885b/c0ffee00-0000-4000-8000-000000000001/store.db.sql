-- The JSON of a message in several pieces of field 4; in the other blob, each piece is a message.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$proto question$
4: "{\"role\":\"user\",\"content\":\"how far "
4: "is Vega\"}"
$$
$proto several$
4: json {"role": "assistant", "content": "25 light years."}
4: json {"role": "assistant", "content": "Give or take."}
$$
$proto broken$ 4: "{\"role\":\"user\",\"content\":\"cut" $$
$proto root$
1: id question
1: id several
1: id broken
$$

INSERT INTO blobs SELECT id, data FROM named;

INSERT INTO meta VALUES ('0', lower(hex($json$ {"agentId": "c0ffee00-0000-4000-8000-000000000001", "latestRootBlobId": "${id root}"} $$)));
