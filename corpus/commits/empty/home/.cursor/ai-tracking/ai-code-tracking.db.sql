CREATE TABLE scored_commits (commitHash TEXT, branchName TEXT, scoredAt INTEGER, linesAdded INTEGER,
  linesDeleted INTEGER, commitMessage TEXT, commitDate TEXT, v2AiPercentage TEXT,
  PRIMARY KEY(commitHash, branchName));
