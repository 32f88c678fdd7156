-- Two conversations; lines of nobody are no documents.

CREATE TABLE ai_code_hashes (hash TEXT PRIMARY KEY, source TEXT NOT NULL, fileExtension TEXT, fileName TEXT,
  requestId TEXT, conversationId TEXT, timestamp INTEGER, model TEXT, createdAt INTEGER NOT NULL);
INSERT INTO ai_code_hashes VALUES
  ('h1', 'composer', 'c', '/home/ada/orrery/src/gear.c', 'fc_1_0', 'c1', 1772438650000, 'sonnet', 1),
  ('h2', 'composer', 'c', '/home/ada/orrery/src/gear.c', 'fc_1_0', 'c1', 1772438610000, 'composer-2', 1),
  ('h3', 'composer', 'c', '/home/ada/orrery/src/gear.c', 'fc_1_0', 'c1', 1772438620000, 'sonnet', 1),
  ('h4', 'composer', 'c', '/home/ada/orrery/src/axle.c', 'fc_2_0', 'c1', 1772438630000, NULL, 1),
  ('h5', 'cli', 'c', 'src/axle.h', NULL, 'c2', 1772438640000, 'alpha', 1),
  ('h6', 'human', 'c', '/home/ada/diary.c', NULL, NULL, 1772438650000, NULL, 1),
  ('h7', 'cli', NULL, NULL, NULL, 'c3', 1772438640000, 'alpha', 1);
