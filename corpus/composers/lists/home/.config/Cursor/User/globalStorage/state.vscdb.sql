-- The lists of recent conversations.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO ItemTable VALUES ('composer.composerHeaders', $json$
{"allComposers": [{"type": "head", "composerId": "c1", "name": "Leaky loom", "unifiedMode": "plan", "createdAt": 1781016250000, "lastUpdatedAt": 1781016300000, "workspaceIdentifier": {"id": "9f1c", "uri": {"fsPath": "/home/ada/loom"}}, "isArchived": true}, {"name": "CANARY"}, 7]}
$$);
