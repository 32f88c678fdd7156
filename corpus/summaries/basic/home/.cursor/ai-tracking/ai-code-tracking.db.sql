-- A conversation with a summary and lines, one with lines alone, lines of nobody.

CREATE TABLE ai_code_hashes (hash TEXT PRIMARY KEY, source TEXT NOT NULL, fileExtension TEXT, fileName TEXT,
  requestId TEXT, conversationId TEXT, timestamp INTEGER, model TEXT, createdAt INTEGER NOT NULL);
CREATE TABLE conversation_summaries (conversationId TEXT PRIMARY KEY, title TEXT, tldr TEXT, overview TEXT,
  summaryBullets TEXT, model TEXT, mode TEXT, updatedAt INTEGER NOT NULL);
CREATE TABLE tracked_file_content (path TEXT, content TEXT);
CREATE TABLE ai_deleted_files (path TEXT, content TEXT);
INSERT INTO tracked_file_content VALUES ('/home/ada/.env', 'CANARY');
INSERT INTO ai_deleted_files VALUES ('/home/ada/.env', 'CANARY');
INSERT INTO conversation_summaries VALUES ('c1', 'Gears', 'The gears slipped.', 'Two teeth were missing.',
  '["found the gap", "added two teeth"]', 'composer-2', 'agent', 1772438700000);
INSERT INTO ai_code_hashes VALUES
  ('h1', 'composer', 'c', '/home/ada/orrery/src/gear.c', 'fc_1_0', 'c1', 1772438600000, 'sonnet', 1772438600001),
  ('h2', 'composer', 'c', '/home/ada/orrery/src/gear.c', 'fc_1_0', 'c1', 1772438610000, 'composer-2', 1772438610001),
  ('h3', 'composer', 'c', '/home/ada/orrery/tests/gear_test.c', 'fc_2_0', 'c1', 1772438620000, 'composer-2', 1772438620001),
  ('h4', 'cli', 'c', '/home/ada/orrery/src/axle.c', NULL, 'c2', 1772438630000, 'zeta', 1772438630001),
  ('h5', 'cli', 'c', 'src/axle.h', NULL, 'c2', 1772438640000, 'alpha', 1772438640001),
  ('h6', 'human', 'c', '/home/ada/diary.c', NULL, NULL, 1772438650000, NULL, 1772438650001),
  ('h7', 'tab', 'c', '/home/ada/orrery/src/tab.c', NULL, '', 1772438650000, NULL, 1772438650001);
