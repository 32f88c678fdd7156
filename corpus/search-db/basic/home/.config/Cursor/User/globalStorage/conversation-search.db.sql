CREATE TABLE conversations (fts_rowid INTEGER PRIMARY KEY, source TEXT, scope TEXT, id TEXT, title TEXT, updated_at INTEGER);
INSERT INTO conversations (source, id, title) VALUES ('local', 'c1', 'Gears'), ('cloud-cache', 'bc-1', 'Axles');
