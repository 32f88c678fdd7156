-- Damage of all sizes: what is whole is read.

CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('workbench.panel.aichat.view.aichat.chatdata', $json$
{
  "tabs": [
    7,
    {"tabId": "no-messages"},
    {"tabId": "t1", "bubbles": [
      {"type": "ghost", "text": "of an unknown kind"},
      "not a message",
      {"type": "user", "text": 7},
      {"type": "user", "id": 7, "text": "fine"}
    ]},
    {"bubbles": [{"type": "user", "text": "in a tab without an id"}]},
    {"tabId": "t1", "bubbles": [{"type": "user", "text": "a copy of a tab"}]}
  ]
}
$$);
INSERT INTO ItemTable VALUES ('workbench.panel.chat.view.chat.chatdata', $text$
{"tabs": [{"tabId": "cut", "bubbles": [{"type": "user", "te
$$);
