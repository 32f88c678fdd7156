-- A commit on two branches, and the ways to write a date.

CREATE TABLE scored_commits (commitHash TEXT, branchName TEXT, scoredAt INTEGER, linesAdded INTEGER,
  linesDeleted INTEGER, commitMessage TEXT, commitDate TEXT, v2AiPercentage TEXT,
  PRIMARY KEY(commitHash, branchName));
INSERT INTO scored_commits VALUES
  ('7be41f09', 'main', 1772500000000, 64, 12, 'gears: add two teeth

They were missing.', '2026-03-02T10:05:00+02:00', '91'),
  ('7be41f09', 'fix/teeth', 1772500000001, 64, 12, 'gears: add two teeth', NULL, '91'),
  ('aa000001', 'main', 1772500000000, 1, 0, 'mail', 'Mon, 2 Mar 2026 10:05:00 +0200', NULL),
  ('aa000002', 'main', 1772500000000, 1, 0, 'git', 'Mon Mar 2 10:05:00 2026 +0200', NULL),
  ('aa000003', NULL, 1772438700000, 1, 0, 'scored', 'the other day', NULL),
  ('aa000004', 'main', NULL, 1, 0, NULL, NULL, NULL);
