CREATE TABLE scored_commits (commitHash TEXT, branchName TEXT, scoredAt INTEGER, linesAdded INTEGER,
  linesDeleted INTEGER, commitMessage TEXT, commitDate TEXT, v2AiPercentage TEXT,
  PRIMARY KEY(commitHash, branchName));
INSERT INTO scored_commits VALUES ('aa000001', 'größe', 1772438700000, 1, 0, 'Gezeiten: 潮 🌊', NULL, NULL);
