CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('aiService.prompts', $json$
[{"version": 9, "text": "known", "mood": {"text": "curious"}}, {"content": "unknown"}]
$$);
INSERT INTO ItemTable VALUES ('aiService.generations', $json$
[{"at": "2026-03-02T08:05:00Z", "type": "voice", "textDescription": "known"}]
$$);
