-- No messages, only turns: their times stand in field 14 of the root.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$proto user-one$ 1: "how far is Vega"  2: "0f0e0d0c-0b0a-4909-8807-060504030201"  4: 1 $$
$proto thought$ 3: { 1: "Parallax." } $$
$proto answer-one$ 1: { 1: "25 light years." } $$
$proto turn-one$ 1: { 1: id user-one  2: id thought  2: id answer-one  3: "request-one" } $$
$proto user-two$ 1: "continue"  5: 1 $$
$proto answer-two$ 1: { 1: "It will be the pole star." } $$
$proto turn-two$ 1: { 1: id user-two  2: id answer-two } $$
$proto command$ 1: "date -u" $$
$proto output$ 1: "Tue Jun  9 14:44:00 UTC 2026\n" $$
$proto turn-three$ 2: { 1: id command  2: id output } $$
$proto root$
8: id turn-one
8: id turn-two
8: id turn-three
14: { 1: 4000  2: 1781016250000 }
14: { 1: 2500  2: 1781016300000 }
$$

INSERT INTO blobs SELECT id, data FROM named;

INSERT INTO meta VALUES ('0', lower(hex($json$ {"agentId": "c0ffee00-0000-4000-8000-000000000001", "latestRootBlobId": "${id root}", "lastUsedModel": "default"} $$)));
