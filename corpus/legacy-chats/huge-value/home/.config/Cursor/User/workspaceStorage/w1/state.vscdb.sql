-- A value of more than 64 MB is a problem; the other key is read.

CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('workbench.panel.aichat.view.aichat.chatdata', zeroblob(67108865));
INSERT INTO ItemTable VALUES ('workbench.panel.chat.view.chat.chatdata', $json$
{"tabs": [{"tabId": "t1", "bubbles": [{"type": "user", "text": "small"}]}]}
$$);
