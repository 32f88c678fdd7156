-- Records of a shape that is not known are told of.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c1:b1', $json$ {"_v": 9, "novelty": "CANARY"} $$);
INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c1:b2', $json$ {"_v": 9, "novelty": "CANARY", "gitStatusRaw": "known"} $$);
