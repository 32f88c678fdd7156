-- Cut in the middle of its pages.
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO cursorDiskKV VALUES ('composerData:c1', json_object('name', 'CANARY' || hex(zeroblob(20000))));
