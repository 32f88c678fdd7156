CREATE TABLE conversation_summaries (conversationId TEXT PRIMARY KEY, title TEXT, tldr TEXT, overview TEXT,
  summaryBullets TEXT, model TEXT, mode TEXT, updatedAt INTEGER NOT NULL);
INSERT INTO conversation_summaries VALUES ('c1', 'Big', zeroblob(67108865), NULL, NULL, NULL, NULL, 1772438700000);
INSERT INTO conversation_summaries VALUES ('c2', 'Small', NULL, NULL, NULL, NULL, NULL, 1772438700000);
