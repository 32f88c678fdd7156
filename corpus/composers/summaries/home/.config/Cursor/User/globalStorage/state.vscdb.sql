-- Summaries as text and as objects; models and modes; todos and queues in other forms.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"latestConversationSummary": {"summary": "In words."}, "modelConfig": {"modelName": "default"}, "forceMode": "chat", "isArchived": true} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c2', $json$ {"latestConversationSummary": {"summary": {"summary": "In an object.", "includesToolResults": false}}, "promptTokenBreakdown": {"totalUsedTokens": 77}, "isArchived": false} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c3', $json$ {"latestConversationSummary": {"summary": null, "text": "never seen"}, "todos": ["in words", 7], "queueItems": ["queued words", {"message": "a message"}, {"id": "nothing"}], "contextTokensUsed": 0} $$);
