CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('workbench.panel.aichat.view.aichat.chatdata', '{"tabs":[]}');
INSERT INTO ItemTable VALUES ('workbench.panel.chat.view.chat.chatdata', '');
