-- Every place that a text can be in.

CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('workbench.panel.aichat.view.aichat.chatdata', CAST($json$
{
  "tabs": [
    {
      "tabId": "t1",
      "bubbles": [
        {"type": "user", "id": "1", "text": "", "delegate": {"a": "from delegate.a"}},
        {"type": "user", "id": "2", "delegate": "from delegate"},
        {
          "type": "user", "id": "3",
          "initText": @string {
            "root": {"children": [
              {"children": [{"text": "from "}, {"text": "initText"}]},
              {"children": [{"text": "two"}, {"type": "linebreak"}, {"text": "three"}]}
            ]}
          }
        },
        {"type": "user", "id": "4", "initText": "just text in initText"},
        {"type": "user", "id": "5", "richText": @string {"root": {"children": [{"text": "from richText"}]}}},
        {"type": "user", "id": "6", "rawText": "from rawText"},
        {"type": "user", "id": "7", "selections": [{"text": "only a selection"}]},
        {"type": "user", "id": "8", "text": "  "},
        {"type": "ai", "id": "9", "text": "a reply from text", "modelType": "gpt-3.5"},
        {"type": "ai", "id": "10", "rawText": "a reply from rawText", "modelType": "default"},
        {"type": "ai", "id": "9", "text": "an id that is there twice"},
        {"type": "ai", "text": "no id"}
      ]
    }
  ]
}
$$ AS BLOB));
