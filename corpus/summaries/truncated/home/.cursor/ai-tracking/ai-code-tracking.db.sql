CREATE TABLE conversation_summaries (conversationId TEXT PRIMARY KEY, title TEXT, tldr TEXT, overview TEXT,
  summaryBullets TEXT, model TEXT, mode TEXT, updatedAt INTEGER NOT NULL);
INSERT INTO conversation_summaries VALUES ('c1', 'Gears', NULL, NULL, NULL, NULL, NULL, 1772438700000);
