-- Versions that are not known are read as the newest, and told of.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt INTEGER,
  lastUpdatedAt INTEGER, isArchived INTEGER, isSubagent INTEGER, recency INTEGER,
  checkpointAt INTEGER, value TEXT);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"_v": 99, "name": "Of version 99"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c2', $json$ {"_v": "new", "name": "Of another"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c3', $json$ {"_v": 14, "name": "Of version 14"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c4', $json$ {"name": "Of none"} $$);
ALTER TABLE composerHeaders ADD COLUMN novelty TEXT;
INSERT INTO composerHeaders VALUES ('c5', NULL, NULL, NULL, 0, 0, NULL, NULL, $json$ {"_v": 99, "name": "A head"} $$, 'CANARY');
