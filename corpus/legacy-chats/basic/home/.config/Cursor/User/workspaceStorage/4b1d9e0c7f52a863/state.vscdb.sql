-- A chat of a workspace, whose tabs are numbered, and one whose tab has an id of its own.

CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('workbench.panel.aichat.view.aichat.chatdata', $json$
{
  "tabs": [
    {
      "tabId": "t1", "chatTitle": "Leak", "tabState": "chat",
      "lastSendTime": 1718000000000, "timestamp": 1718000000000,
      "bubbles": [
        {
          "type": "user", "id": "u1", "messageType": 2, "text": "why does it leak",
          "initText": @string {"root": {"children": [{"children": [{"text": "why does it leak"}]}]}},
          "delegate": {"a": "why does it leak"},
          "selections": [{"text": "int main"}, {"text": "  "}],
          "image": {"path": "/tmp/x.png"}
        },
        {
          "type": "ai", "id": "a1", "modelType": "gpt-4",
          "rawText": "Because **buf** is not freed.", "text": "Because buf is not freed."
        }
      ]
    },
    {
      "tabId": "1f6c0a94-d2b7-4e58-9a31-70e5c8bd24f6", "chatTitle": "New Chat",
      "bubbles": [{"type": "user", "id": "u1", "text": "what is an orrery"}]
    },
    {"tabId": "never-used", "chatTitle": "Empty", "bubbles": []}
  ],
  "selectedTabId": "t1"
}
$$);
