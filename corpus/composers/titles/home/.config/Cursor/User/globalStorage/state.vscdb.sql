-- Names, subtitles, and tabs that were never used.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:name', $json$ {"name": " Loom ", "fullConversationHeadersOnly": []} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:subtitle', $json$ {"name": null, "subtitle": "loom.c", "fullConversationHeadersOnly": [{"bubbleId": "a"}]} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:new', $json$ {"name": "", "subtitle": "New chat", "fullConversationHeadersOnly": [{"bubbleId": "a"}]} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:empty-tab', $json$ {"name": "", "subtitle": "loom.c", "fullConversationHeadersOnly": []} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:old', $json$ {"subtitle": "old.c", "conversation": [{"type": 1, "text": "CANARY"}]} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:blob', CAST($json$ {"name": "In a blob"} $$ AS BLOB));
INSERT INTO cursorDiskKV VALUES ('composerData:deleted', NULL);
INSERT INTO cursorDiskKV VALUES ('composerData:nothing', '');
