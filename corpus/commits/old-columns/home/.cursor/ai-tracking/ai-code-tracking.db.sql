-- An older version keeps no message.

CREATE TABLE scored_commits (commitHash TEXT, branchName TEXT, scoredAt INTEGER, PRIMARY KEY(commitHash, branchName));
INSERT INTO scored_commits VALUES ('7be41f09', 'main', 1772438700000);
