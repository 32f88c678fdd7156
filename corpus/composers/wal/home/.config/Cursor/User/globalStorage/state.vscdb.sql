-- Cursor runs: names are only in the -wal.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt INTEGER,
  lastUpdatedAt INTEGER, isArchived INTEGER, isSubagent INTEGER, recency INTEGER,
  checkpointAt INTEGER, value TEXT);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"name": "CANARY"} $$);

@wal

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"name": "A better name"} $$);
INSERT INTO composerHeaders VALUES ('c2', NULL, NULL, NULL, 0, 0, NULL, NULL, $json$ {"name": "A head"} $$);
