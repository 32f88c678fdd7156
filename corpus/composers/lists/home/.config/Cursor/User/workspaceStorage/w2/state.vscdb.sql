CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('composer.composerData', $json$ [{"composerId": "c5", "name": "In a bare list"}] $$);
INSERT INTO ItemTable VALUES ('workbench.panel.chat.composerData', $json$ {"allComposers": [{"composerId": "c6", "name": "In a chat's list"}]} $$);
