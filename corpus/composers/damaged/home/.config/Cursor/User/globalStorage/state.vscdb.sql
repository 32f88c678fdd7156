-- What is no JSON, or JSON of another shape, is skipped; the rest is read.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt INTEGER,
  lastUpdatedAt INTEGER, isArchived INTEGER, isSubagent INTEGER, recency INTEGER,
  checkpointAt INTEGER, value TEXT);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', 'not JSON');
INSERT INTO cursorDiskKV VALUES ('composerData:c2', '[]');
INSERT INTO cursorDiskKV VALUES ('composerData:c3', $json$ {"name": 7, "subtitle": [], "todos": {"a": 1}, "queueItems": "x", "latestConversationSummary": "x", "modelConfig": [], "workspaceIdentifier": 7, "gitWorktree": "x", "createdAt": "soon", "subagentInfo": 7, "context": 7, "subagentComposerIds": {"a": 1}, "isArchived": "yes"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c4', $json$ {"name": "Fine"} $$);
INSERT INTO composerHeaders VALUES ('c5', NULL, 'soon', 'later', 'x', 0, 'never', NULL, '[]');
INSERT INTO ItemTable VALUES ('composer.composerHeaders', '{"allComp'), ('composer.composerData', '7'), ('glass.localAgentProjects.v1', '{"a');
