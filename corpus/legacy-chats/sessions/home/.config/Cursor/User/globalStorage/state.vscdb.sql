-- The other key, the other names of everything, in the database of all windows.

CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('workbench.panel.chat.view.chat.chatdata', $json$
{
  "chatSessions": [
    {
      "id": "s1", "title": "Gears", "createdAt": "2024-06-10T06:13:20.000Z",
      "lastUpdatedAt": 1718000400000, "lastSendTime": 1718000300000,
      "messages": [
        {"role": "user", "content": "how many teeth", "timestamp": 1718000000000},
        {"role": "assistant", "content": "Forty.", "createdAt": "2024-06-10T06:14:00Z"},
        {"role": "human", "text": "and for Mars"},
        {"role": "bot", "content": [{"type": "text", "text": "Fifty"}, {"type": "text", "text": "or so."}]}
      ]
    }
  ]
}
$$);
