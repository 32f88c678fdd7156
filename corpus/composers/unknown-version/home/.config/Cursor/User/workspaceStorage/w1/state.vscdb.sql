-- Tables of these names with other columns.
CREATE TABLE cursorDiskKV (id TEXT, document BLOB);
CREATE TABLE ItemTable (name TEXT);
CREATE TABLE composerHeaders (id TEXT);
INSERT INTO composerHeaders VALUES ('CANARY');
