-- The page on which the second one goes on is damaged.
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO cursorDiskKV VALUES ('composerData:c6', $json$ {"name": "Before"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c7', json_object('name', 'CANARY' || hex(zeroblob(6000))));
INSERT INTO cursorDiskKV VALUES ('composerData:c8', $json$ {"name": "After"} $$);
