-- What Cursor counts of AI-written code, with summaries of conversations.

CREATE TABLE ai_code_hashes (hash TEXT PRIMARY KEY, source TEXT NOT NULL, fileExtension TEXT, fileName TEXT,
  requestId TEXT, conversationId TEXT, timestamp INTEGER, model TEXT, createdAt INTEGER NOT NULL);
CREATE TABLE scored_commits (commitHash TEXT, branchName TEXT, scoredAt INTEGER, linesAdded INTEGER, linesDeleted INTEGER,
  tabLinesAdded INTEGER, tabLinesDeleted INTEGER, composerLinesAdded INTEGER, composerLinesDeleted INTEGER,
  humanLinesAdded INTEGER, humanLinesDeleted INTEGER, blankLinesAdded INTEGER, blankLinesDeleted INTEGER,
  commitMessage TEXT, commitDate TEXT, v1AiPercentage TEXT, v2AiPercentage TEXT, PRIMARY KEY(commitHash, branchName));
CREATE TABLE conversation_summaries (conversationId TEXT PRIMARY KEY, title TEXT, tldr TEXT, overview TEXT,
  summaryBullets TEXT, model TEXT, mode TEXT, updatedAt INTEGER NOT NULL);
CREATE TABLE tracking_state (key TEXT, value TEXT);
CREATE TABLE tracked_file_content (path TEXT, content TEXT);

INSERT INTO conversation_summaries VALUES ('3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3', 'Auth bug: refresh token race',
  'Random logouts were a race between two refreshes with one token.',
  'The client refreshes once for all callers; the server locks the row and tolerates a twin for ten seconds.',
  $json$ ["refresh_token_reused revoked whole families", "single promise in apiClient.ts", "FOR UPDATE and grace period in refresh.ts"] $$, 'claude-sonnet-5', 'agent', 1781010390000);

INSERT INTO conversation_summaries VALUES ('5be8f3d0-61a7-4c29-9d84-e0a2b7f41c95', 'N+1 in the thread list',
  'getUserById ran once per thread.',
  'Authors are loaded with one query, and an index serves the sort.',
  '- getUsersByIds instead of a loop
- index on (account_id, updated_at)', 'composer-2.5', 'agent', 1773221400000);

INSERT INTO conversation_summaries VALUES ('2d94e7b1-c60f-4835-ae7d-91b3f5028c6e', 'NaN in the tide model',
  'Offline markers of -9999 were not masked.',
  'Masked the markers, clipped the gradient, Huber loss.',
  NULL, 'composer-2.5', 'agent', 1771920900000);

INSERT INTO ai_code_hashes VALUES
  ('5d0f11a2', 'composer', 'ts', '/home/mira/lanternpost/src/auth/refresh.ts', NULL, '3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3', 1781009345000, 'claude-sonnet-5', 1781009345000),
  ('8a77c3e4', 'composer', 'ts', '/home/mira/lanternpost/src/auth/refresh.ts', NULL, '3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3', 1781009345000, 'claude-sonnet-5', 1781009345000),
  ('c09be516', 'composer', 'ts', '/home/mira/lanternpost/src/web/apiClient.ts', NULL, '3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3', 1781009370000, 'claude-sonnet-5', 1781009370000),
  ('f41d2b98', 'composer', 'ts', '/home/mira/lanternpost/src/threads/listThreads.ts', NULL, '5be8f3d0-61a7-4c29-9d84-e0a2b7f41c95', 1773220320000, 'composer-2.5', 1773220320000);

INSERT INTO scored_commits VALUES ('7be41f09c2d85a36', 'fix/refresh-race', 1781010420000, 64, 12, 0, 0, 58, 12, 6, 0, 0, 0,
  'auth: share one refresh in flight, tolerate a late twin', '2026-06-09T15:06:48+02:00', '91', '90');

INSERT INTO tracking_state VALUES ('trackingStartTime', '1768204800000');
INSERT INTO tracked_file_content VALUES ('/home/mira/lanternpost/.env', 'CANARY-tracked-file');
