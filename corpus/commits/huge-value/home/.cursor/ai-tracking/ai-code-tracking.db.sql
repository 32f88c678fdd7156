CREATE TABLE scored_commits (commitHash TEXT, branchName TEXT, scoredAt INTEGER, linesAdded INTEGER,
  linesDeleted INTEGER, commitMessage TEXT, commitDate TEXT, v2AiPercentage TEXT,
  PRIMARY KEY(commitHash, branchName));
INSERT INTO scored_commits VALUES ('aa000001', 'main', 1772438700000, 1, 0, zeroblob(67108865), NULL, NULL);
INSERT INTO scored_commits VALUES ('aa000002', 'main', 1772438700000, 1, 0, 'small', NULL, NULL);
