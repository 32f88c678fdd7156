-- An older version knows neither timestamp nor requestId.

CREATE TABLE ai_code_hashes (hash TEXT PRIMARY KEY, source TEXT NOT NULL, fileExtension TEXT, fileName TEXT,
  conversationId TEXT, model TEXT, createdAt INTEGER NOT NULL);
CREATE TABLE conversation_summaries (conversationId TEXT PRIMARY KEY, title TEXT, updatedAt INTEGER NOT NULL);
INSERT INTO conversation_summaries VALUES ('c1', 'Gears', 1772438700000);
INSERT INTO ai_code_hashes VALUES ('h1', 'composer', 'c', '/home/ada/orrery/gear.c', 'c1', NULL, 1772438600000);
