-- Values that were cut.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO cursorDiskKV VALUES ('composerData:c2', '{"name":"CANARY","todos":[{"cont');
INSERT INTO ItemTable VALUES ('composer.composerData', '{"allComposers":[{"composerId":"c2","name":"CANARY"}');
