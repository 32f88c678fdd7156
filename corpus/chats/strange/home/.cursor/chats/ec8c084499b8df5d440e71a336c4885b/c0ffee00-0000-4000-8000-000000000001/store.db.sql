-- Nothing is where it should be: what looks like text is found, in what the root leads to.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$proto leaf$
31: "Vega is 25 light years away from here."
32: "0f0e0d0c-0b0a-4909-8807-060504030201"
33: "/home/ada/orrery/src/main.c"
34: "short"
35: "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2"
$$
$proto unreached$ 31: "An abandoned text that nobody should find." $$
$proto root$
30: { 1: id leaf }
36: "The root itself says something, too."
$$

INSERT INTO blobs SELECT id, data FROM named;

INSERT INTO meta VALUES ('0', lower(hex($json$ {"agentId": "c0ffee00-0000-4000-8000-000000000001", "latestRootBlobId": "${id root}"} $$)));
