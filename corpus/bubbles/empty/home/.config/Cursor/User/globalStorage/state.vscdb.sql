-- Nothing was said yet.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"_v": 18, "composerId": "c1", "fullConversationHeadersOnly": [], "text": "", "conversationMap": {}} $$);
INSERT INTO ItemTable VALUES ('composer.composerData', $json$ {"allComposers": []} $$);
