-- A bare list, and the same key of another name.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('composer.composerData', $json$ [{"composerId": "c4", "conversation": [{"type": 1, "text": "in a bare list"}]}, 7] $$);
INSERT INTO ItemTable VALUES ('workbench.panel.chat.composerData', CAST($json$ {"allComposers": [{"composerId": "c5", "tabs": [{"bubbles": [{"type": "user", "text": "in a chat's list"}]}]}, {"composerId": "c4", "conversation": [{"type": 1, "text": "told already"}]}]} $$ AS BLOB));
