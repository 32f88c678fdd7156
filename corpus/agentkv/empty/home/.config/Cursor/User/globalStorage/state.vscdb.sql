-- Conversations without a state, and no blobs.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"_v": 18, "composerId": "c1", "conversationState": "~"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c2', $json$ {"composerId": "c2"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c3', '');
