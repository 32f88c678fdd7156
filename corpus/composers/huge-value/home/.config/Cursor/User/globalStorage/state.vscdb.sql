-- Longer than records may be.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt INTEGER,
  lastUpdatedAt INTEGER, isArchived INTEGER, isSubagent INTEGER, recency INTEGER,
  checkpointAt INTEGER, value TEXT);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', zeroblob(70000000));
INSERT INTO cursorDiskKV VALUES ('composerData:c2', $json$ {"name": "Short"} $$);
INSERT INTO composerHeaders VALUES ('c1', 'w', 1781016250000, NULL, 0, 0, NULL, NULL, CAST(zeroblob(70000000) AS TEXT));
INSERT INTO composerHeaders VALUES ('c2', 'w', 1781016250000, NULL, 0, 0, NULL, NULL, $json$ {"name": "Short"} $$);
INSERT INTO ItemTable VALUES ('composer.composerHeaders', zeroblob(70000000));
