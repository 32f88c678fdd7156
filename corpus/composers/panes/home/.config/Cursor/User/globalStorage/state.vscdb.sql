-- Those of no workspace tell nothing.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('workbench.panel.composerChatViewPane.1b7f5ce4-03d8-4ab2-9c60-f8e1a4d92375', '[]');
