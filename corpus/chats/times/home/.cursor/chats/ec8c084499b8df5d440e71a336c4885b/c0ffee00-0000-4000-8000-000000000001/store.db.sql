-- The time of a tag holds until the next one; a message's own time is better.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$json info$
{"role": "user", "content": "<user_info>\nWorkspace Path: /home/ada/orrery\nToday's date: Tuesday Jun 9, 2026\n</user_info>"}
$$
$json one$ {"role": "user", "content": "<timestamp>Tuesday, Jun 9, 2026, 2:44 PM (UTC+2)</timestamp>\n<user_query>\none\n</user_query>"} $$
$json two$ {"role": "assistant", "content": "two"} $$
$json three$ {"role": "assistant", "content": "three", "createdAt": 1781016250000} $$
$json four$ {"role": "assistant", "content": "four"} $$
$json five$ {"role": "user", "content": "<timestamp>Tuesday, Jun 9, 2026, 3:00 PM (UTC+2)</timestamp>\n<user_query>\nfive\n</user_query>"} $$
$proto user$ 1: "five" $$
$proto six$ 1: { 1: "six" } $$
$proto turn$ 1: { 1: id user  2: id six } $$
$proto root$
1: id info
1: id one
1: id two
1: id three
1: id four
1: id five
8: id turn
$$

INSERT INTO blobs SELECT id, data FROM named;

INSERT INTO meta VALUES ('0', lower(hex($json$ {"agentId": "c0ffee00-0000-4000-8000-000000000001", "latestRootBlobId": "${id root}"} $$)));
