-- The page on which the second one goes on is damaged.
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c2:a', $json$ {"gitStatusRaw": "fine"} $$);
INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c2:b', json_object('x', 'CANARY' || hex(zeroblob(6000))));
INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c2:c', $json$ {"gitStatusRaw": "fine"} $$);
