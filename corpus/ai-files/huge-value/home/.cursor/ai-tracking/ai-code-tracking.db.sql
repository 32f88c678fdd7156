CREATE TABLE ai_code_hashes (hash TEXT PRIMARY KEY, source TEXT NOT NULL, fileExtension TEXT, fileName TEXT,
  requestId TEXT, conversationId TEXT, timestamp INTEGER, model TEXT, createdAt INTEGER NOT NULL);
INSERT INTO ai_code_hashes VALUES ('h1', 'composer', 'c', zeroblob(67108865), NULL, 'c1', 1772438600000, 'm', 1);
INSERT INTO ai_code_hashes VALUES ('h2', 'composer', 'c', '/home/ada/orrery/axle.c', NULL, 'c1', 1772438600000, 'm', 1);
