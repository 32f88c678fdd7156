CREATE TABLE scored_commits (commitHash, branchName, scoredAt, commitMessage, commitDate);
INSERT INTO scored_commits VALUES
  (NULL, 'main', 1772438700000, 'of no commit', NULL),
  ('', 'main', 1772438700000, 'of no commit', NULL),
  (7, x'6d61696e', 'soon', x'ff6f6b', 1772438700);
