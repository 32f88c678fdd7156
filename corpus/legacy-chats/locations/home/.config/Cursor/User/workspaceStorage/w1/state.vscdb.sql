CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('workbench.panel.aichat.view.aichat.chatdata', $json$
{"tabs": [{"tabId": "t1", "bubbles": [{"type": "user", "text": "of a workspace"}]}]}
$$);
