-- Of a workspace: only an ItemTable, as most have.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('history.entries', '[]');
