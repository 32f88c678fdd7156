-- Blobs under other names of columns, and one in a table as the IDE has it, named as text.
CREATE TABLE blobs (key TEXT PRIMARY KEY, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);

$json question$ {"role": "user", "content": "how far is Vega"} $$
$json answer$ {"role": "assistant", "content": "25 light years."} $$
$proto root$
1: id question
1: "agentKv:blob:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
$$

INSERT INTO blobs SELECT id, data FROM named WHERE name != 'answer';
INSERT INTO cursorDiskKV
  SELECT 'agentKv:blob:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef', data
  FROM named WHERE name = 'answer';
INSERT INTO meta VALUES ('0', lower(hex($json$ {"agentId": "c0ffee00-0000-4000-8000-000000000001", "latestRootBlobId": "${id root}"} $$)));
