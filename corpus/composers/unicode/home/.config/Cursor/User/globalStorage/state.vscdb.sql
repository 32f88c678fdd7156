-- All kinds of letters, halves of letters, and bytes that are none.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt INTEGER,
  lastUpdatedAt INTEGER, isArchived INTEGER, isSubagent INTEGER, recency INTEGER,
  checkpointAt INTEGER, value TEXT);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"name": "Webstühle 織機 🧵", "subtitle": "ткань.c", "workspaceUri": "file:///home/ada/%E7%B9%94%E6%A9%9F"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c2', '{"name":"cut \ud83d","todos":[{"content":"\ude00 cut"}]}');
INSERT INTO cursorDiskKV VALUES ('composerData:c3', CAST(CAST('{"name":"bytes ' AS BLOB) || x'ff' || CAST('"}' AS BLOB) AS BLOB));
INSERT INTO cursorDiskKV VALUES ('composerData:織', $json$ {"name": "An id"} $$);
INSERT INTO composerHeaders VALUES ('c4', NULL, NULL, NULL, 0, 0, NULL, NULL, $json$ {"name": "베틀"} $$);
