-- Messages in wrappers: JSON in field 4, its time in field 26.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$proto question$
4: json {"role": "user", "content": "how far is Vega"}
5: 1200
26: 1781016250000
$$
$proto answer$
4: json {"role": "assistant", "content": [{"type": "text", "text": "25 light years."}]}
26: 1781016255000
$$
$proto notebook$ 4: json {"cells": [], "nbformat": 4} $$
$proto root$
1: id question
1: id answer
1: id notebook
$$

INSERT INTO blobs SELECT id, data FROM named;

INSERT INTO meta VALUES ('0', lower(hex($json$ {"agentId": "c0ffee00-0000-4000-8000-000000000001", "latestRootBlobId": "${id root}"} $$)));
