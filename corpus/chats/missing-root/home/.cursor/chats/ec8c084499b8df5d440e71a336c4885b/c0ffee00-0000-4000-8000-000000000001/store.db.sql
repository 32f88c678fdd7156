-- The root is not among the blobs: all messages, in the order of their rows.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

INSERT INTO blobs VALUES ('b1', CAST($json$ {"role": "user", "content": "how far is Vega"} $$ AS BLOB));
INSERT INTO blobs VALUES ('a2', CAST($json$ {"role": "assistant", "content": "25 light years."} $$ AS BLOB));
INSERT INTO blobs VALUES ('c3', CAST($json$ {"cells": [], "nbformat": 4} $$ AS BLOB));
INSERT INTO blobs VALUES ('a4', $proto$ 1: "not reached, and no message" $$);
INSERT INTO meta VALUES ('0', lower(hex($json$ {"agentId": "c0ffee00-0000-4000-8000-000000000001", "latestRootBlobId": "0000000000000000000000000000000000000000000000000000000000000000", "name": "New Agent"} $$)));
