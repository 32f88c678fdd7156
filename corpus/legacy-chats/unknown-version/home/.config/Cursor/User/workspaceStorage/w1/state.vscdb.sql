-- Of a version to come: more columns, more members, other values.

CREATE TABLE ItemTable (key TEXT PRIMARY KEY, value BLOB, version INTEGER) WITHOUT ROWID;
INSERT INTO ItemTable VALUES ('workbench.panel.aichat.view.aichat.chatdata', $json$
{
  "version": 99,
  "tabs": [
    {
      "tabId": "t1", "chatTitle": {"text": "an object"}, "lastSendTime": "soon", "pinned": true,
      "bubbles": [
        {"type": "user", "id": "u1", "text": "hello", "mood": "curious"},
        {"type": "reasoning", "text": "a new kind"}
      ]
    }
  ]
}
$$, 99);
