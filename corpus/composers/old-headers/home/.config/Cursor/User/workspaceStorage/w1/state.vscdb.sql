-- Without a value, and without the numbers of rows.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT) WITHOUT ROWID;
INSERT INTO composerHeaders VALUES ('c2', '9f1c');
