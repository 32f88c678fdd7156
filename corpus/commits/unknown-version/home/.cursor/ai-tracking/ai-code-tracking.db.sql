CREATE TABLE scored_commits (author TEXT, commitMessage TEXT, commitHash TEXT, signature BLOB);
INSERT INTO scored_commits VALUES ('ada', 'gears: add two teeth', '7be41f09', zeroblob(64));
