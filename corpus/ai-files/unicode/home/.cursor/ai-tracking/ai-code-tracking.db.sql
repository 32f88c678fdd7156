CREATE TABLE conversation_summaries (conversationId TEXT PRIMARY KEY, title TEXT, tldr TEXT, overview TEXT,
  summaryBullets TEXT, model TEXT, mode TEXT, updatedAt INTEGER NOT NULL);
CREATE TABLE ai_code_hashes (hash TEXT PRIMARY KEY, source TEXT NOT NULL, fileExtension TEXT, fileName TEXT,
  requestId TEXT, conversationId TEXT, timestamp INTEGER, model TEXT, createdAt INTEGER NOT NULL);
INSERT INTO conversation_summaries VALUES ('c1', 'Gezeiten 🌊', 'Половина', CAST(x'e6bdaeff' AS TEXT), '["\ud83d half", "日本"]', NULL, NULL, 1772438700000);
INSERT INTO ai_code_hashes VALUES ('h1', 'composer', 'c', '/home/ada/über/Größe.c', NULL, 'c1', 1772438600000, NULL, 1);
