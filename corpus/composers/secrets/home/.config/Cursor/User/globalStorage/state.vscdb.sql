-- What nobody may read stays where it is.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt INTEGER,
  lastUpdatedAt INTEGER, isArchived INTEGER, isSubagent INTEGER, recency INTEGER,
  checkpointAt INTEGER, value TEXT);

INSERT INTO ItemTable VALUES ('cursorAuth/accessToken', 'CANARY'), ('cursorAuth/cachedEmail', 'CANARY'), ('secret://x', 'CANARY');
INSERT INTO ItemTable VALUES ('composer.composerHeaders.tableGateEnabled', 'CANARY'), ('composer.planRegistry', 'CANARY'), ('workbench.panel.composerChatViewPane.tokenCANARY', 'CANARY');
INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"name": "Plain", "blobEncryptionKey": "CANARY", "conversationState": "~CANARY", "capabilities": [{"data": {"bubbleDataMap": "CANARY"}}], "usageData": {"CANARY": 1}} $$);
INSERT INTO composerHeaders VALUES ('c1', 'w', 1, 1, 0, 0, 1, 1, $json$ {"name": "Plain", "authToken": "CANARY"} $$);
