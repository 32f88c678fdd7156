-- Heads with four columns, and nothing else.
CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, recency INTEGER, value TEXT);
INSERT INTO composerHeaders VALUES ('c1', '9f1c', 1781016400000, $json$ {"name": "Leaky loom"} $$);
