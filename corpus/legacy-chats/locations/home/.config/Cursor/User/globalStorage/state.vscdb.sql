-- In the database of all windows, in that of a workspace, and in the -wal of a third.
-- Copies that Cursor put aside are not read.

CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('workbench.panel.aichat.view.aichat.chatdata', $json$
{"tabs": [{"tabId": "t1", "bubbles": [{"type": "user", "text": "global"}]}]}
$$);
