-- Where a conversation belongs.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:worktree', $json$
{"gitWorktree": {"worktreePath": "/home/ada/.cursor/worktrees/loom/ab1", "branchName": "feat-reed"}, "workspaceIdentifier": {"id": "9f1c", "uri": {"path": "/home/ada/loom"}}, "activeBranch": {"branchName": "never"}}
$$);
INSERT INTO cursorDiskKV VALUES ('composerData:uri', $json$ {"workspaceUri": "file:///home/ada/my%20loom", "committedToBranch": "main"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:tracked', $json$ {"trackedGitRepos": [{"repoPath": "/home/ada/loom", "branches": []}, {"repoPath": "/home/ada/other"}], "activeBranch": {"branchName": "dev"}} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:ssh', $json$ {"workspaceUri": "vscode-remote://ssh-remote%2Bforge/srv/loom"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:wsl', $json$
{"workspaceIdentifier": {"id": "w", "uri": {"scheme": "vscode-remote", "authority": "wsl+Ubuntu", "fsPath": "\\home\\ada\\loom", "path": "/home/ada/loom", "external": "vscode-remote://wsl%2Bubuntu/home/ada/loom"}}}
$$);
INSERT INTO cursorDiskKV VALUES ('composerData:container', $json$ {"workspaceIdentifier": {"id": "d", "uri": {"external": "vscode-remote://dev-container%2B7b22/workspaces/loom"}}} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:windows', $json$ {"workspaceIdentifier": {"id": "x", "uri": {"fsPath": "c:\\Users\\ada\\loom", "external": "file:///c%3A/Users/ada/loom", "path": "/C:/Users/ada/loom", "scheme": "file"}}, "workspaceUri": "file:///c%3A/Users/ada/loom"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:window', $json$ {"workspaceIdentifier": {"id": "empty-window"}} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:attached', $json$ {"context": {"fileSelections": [{"uri": {"fsPath": "/home/ada/loom/a.c"}}, {"uri": {"fsPath": "b.c"}}]}} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:bad', $json$ {"workspaceUri": "file:///home/ada/100%", "gitWorktree": {"worktreePath": "not/absolute"}} $$);
