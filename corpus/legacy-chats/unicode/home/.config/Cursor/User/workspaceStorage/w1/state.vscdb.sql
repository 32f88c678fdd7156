CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('workbench.panel.aichat.view.aichat.chatdata', $text$
{"tabs": [{"tabId": "вкладка 1:2", "chatTitle": "Мерцание 🌘", "bubbles": [
  {"type": "user", "text": "half \ud83d of a moon"},
  {"type": "ai", "rawText": "日本語で。\u0000ende"}]}]}
$$);
