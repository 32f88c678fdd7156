-- A session with one question, its answer, and a key that nobody may read.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$json question$ {"role": "user", "content": "<user_query>\nhow far is Vega\n</user_query>"} $$
$json answer$
{
  "role": "assistant",
  "id": "1",
  "content": [{"type": "text", "text": "25 light years."}],
  "providerOptions": {"cursor": {"modelName": "claude-sonnet-5"}}
}
$$
$proto root$
1: id question
1: id answer
$$

INSERT INTO blobs SELECT id, data FROM named;

INSERT INTO meta VALUES ('0', lower(hex($json$
{
  "agentId": "another-id",
  "latestRootBlobId": "${id root}",
  "name": "Vega",
  "mode": "plan",
  "createdAt": 1781016250000,
  "lastUsedModel": "composer-2.5",
  "workspacePath": "/home/ada/orrery",
  "blobEncryptionKey": "CANARY-blob-encryption-key"
}
$$)));
