-- Tables without rows; lists without entries.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt INTEGER,
  lastUpdatedAt INTEGER, isArchived INTEGER, isSubagent INTEGER, recency INTEGER,
  checkpointAt INTEGER, value TEXT);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"_v": 18, "composerId": "c1", "name": "", "text": "", "todos": [], "queueItems": [], "fullConversationHeadersOnly": [], "latestConversationSummary": {}} $$);
INSERT INTO ItemTable VALUES ('composer.composerHeaders', $json$ {"allComposers": []} $$), ('composer.composerData', '{}'), ('glass.localAgentProjects.v1', '[]');
