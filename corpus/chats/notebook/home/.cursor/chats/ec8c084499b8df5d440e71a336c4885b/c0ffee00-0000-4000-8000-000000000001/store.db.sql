-- A notebook was read: JSON, but no message. Nor is a message whose role is no string.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$json question$ {"role": "user", "content": "how far is Vega"} $$
$json notebook$ {"cells": [{"cell_type": "code", "source": ["import stars"]}], "nbformat": 4} $$
$json no-role$ {"role": 7, "content": "seven"} $$
$proto root$
1: id question
1: id notebook
1: id no-role
$$

INSERT INTO blobs SELECT id, data FROM named;

INSERT INTO meta VALUES ('0', lower(hex($json$ {"agentId": "c0ffee00-0000-4000-8000-000000000001", "latestRootBlobId": "${id root}"} $$)));
