CREATE TABLE ai_code_hashes (hash TEXT PRIMARY KEY, source TEXT NOT NULL, fileExtension TEXT,
  fileName TEXT, requestId TEXT, conversationId TEXT, timestamp INTEGER, model TEXT,
  createdAt INTEGER NOT NULL);
CREATE TABLE scored_commits (commitHash TEXT, branchName TEXT, scoredAt INTEGER,
  commitMessage TEXT, commitDate TEXT, PRIMARY KEY (commitHash, branchName));
CREATE TABLE conversation_summaries (conversationId TEXT PRIMARY KEY, title TEXT, tldr TEXT,
  overview TEXT, summaryBullets TEXT, model TEXT, mode TEXT, updatedAt INTEGER NOT NULL);
CREATE TABLE tracked_file_content (path TEXT, content TEXT);
CREATE TABLE ai_deleted_files (path TEXT, content TEXT);
CREATE TABLE tracking_state (key TEXT, value TEXT);
INSERT INTO tracked_file_content VALUES ('/home/ada/widget/.env', 'CANARY-tracked-file');
INSERT INTO ai_deleted_files VALUES ('/home/ada/widget/.env', 'CANARY-deleted-file');
INSERT INTO tracking_state VALUES ('installToken', 'CANARY-tracking-state');
INSERT INTO ai_code_hashes VALUES ('CANARY-hash', 'composer', 'c', '/home/ada/widget/gizmo.c',
  'CANARY-request', 'c0ffee00-0000-4000-8000-0000000000aa', 1781016250000, 'composer-2',
  1781016250000);
INSERT INTO scored_commits VALUES ('0badcafe', 'main', 1781016250000, 'free the gizmo', NULL);
INSERT INTO conversation_summaries VALUES ('c0ffee00-0000-4000-8000-0000000000aa', 'Gizmo leak',
  'a leak', NULL, NULL, NULL, NULL, 1781016250000);
