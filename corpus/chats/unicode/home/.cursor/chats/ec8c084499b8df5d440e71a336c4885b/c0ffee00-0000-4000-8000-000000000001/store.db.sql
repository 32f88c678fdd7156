-- Letters of many scripts, an unpaired surrogate, and invalid UTF-8.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$json question$ {"role": "user", "content": "Wie weit ist die Wega? \u7ec7\u5973\u661f \ud83c\udf1f"} $$
$json surrogate$ {"role": "assistant", "content": "cut \ud83d here"} $$
$proto user$ 1: "\u0412\u0435\u0433\u0430" $$
$proto broken$ 1: { 1: hex 41ff42 } $$
$proto turn$ 1: { 1: id user  2: id broken } $$
$proto root$
1: id question
1: id surrogate
8: id turn
$$

INSERT INTO blobs SELECT id, data FROM named;

INSERT INTO meta VALUES ('0', lower(hex($json$ {"agentId": "c0ffee00-0000-4000-8000-000000000001", "latestRootBlobId": "${id root}", "name": "Wega, \u7ec7\u5973\u661f"} $$)));
