-- Blobs that are not what they should be.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$json question$ {"role": "user", "content": "how far is Vega"} $$
$text cut$
{"role":"assistant","content":"25 li
$$
$hex encrypted$ 8f3b 00ff 1277 a9c4 d2e1 5b60 91fe 07c3 44aa $$
$hex half$ 0a17 7768 79 $$
$json answer$ {"role": "assistant", "content": "25 light years."} $$
$proto turn$ 1: { 1: id encrypted  2: id half  2: id encrypted } $$
$proto root$
1: id question
1: id cut
1: id encrypted
1: id half
1: id answer
6: id encrypted
8: id turn
8: id half
13: id encrypted
$$

INSERT INTO blobs SELECT id, data FROM named;
UPDATE blobs SET data = NULL WHERE id = (SELECT id FROM named WHERE name = 'half');
INSERT INTO meta VALUES ('0', lower(hex($json$ {"agentId": "c0ffee00-0000-4000-8000-000000000001", "latestRootBlobId": "${id root}"} $$)));
