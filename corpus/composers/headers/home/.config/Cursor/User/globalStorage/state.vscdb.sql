-- The table of heads, since version 3.9.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt INTEGER,
  lastUpdatedAt INTEGER, isArchived INTEGER, isSubagent INTEGER, recency INTEGER,
  checkpointAt INTEGER, value TEXT);

INSERT INTO composerHeaders VALUES ('c1', '9f1c', 1781016250000, 1781016300000, 0, 0, 1781016400000, NULL, $json$
{
  "type": "head", "composerId": "c1", "name": "Leaky loom", "subtitle": "loom.c", "unifiedMode": "agent",
  "workspaceIdentifier": {"id": "9f1c", "uri": {"fsPath": "/home/ada/loom", "scheme": "file"}},
  "trackedGitRepos": [{"repoPath": "/home/ada/loom"}]
}
$$);
INSERT INTO composerHeaders VALUES ('c2', 'empty-window', 1781016250000, 1781016300000, 1, 1, NULL, NULL, $json$
{"name": "Child", "subagentInfo": {"parentComposerId": "c1"}, "agentLocation": {"environment": {"uri": {"fsPath": "/home/ada/elsewhere"}}}, "isArchived": true}
$$);
INSERT INTO composerHeaders VALUES ('c3', NULL, 0, NULL, 0, 0, 0, NULL, NULL);
INSERT INTO composerHeaders VALUES ('c4', '1783664993216', NULL, NULL, 0, 0, NULL, NULL, 'not JSON');
INSERT INTO composerHeaders VALUES (NULL, 'x', 1, 1, 0, 0, 1, NULL, '{"name": "CANARY"}');
