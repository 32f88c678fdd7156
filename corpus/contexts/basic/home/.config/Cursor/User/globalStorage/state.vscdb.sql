-- What was sent with a message, but for the layout of the whole project.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c1:b1', $json$
{
  "terminalFiles": [{"path": "1.txt", "contents": "$ make"}], "cursorRules": [{"name": "style", "description": "How we weave", "body": "Never cut the warp."}, {"name": "short"}],
  "knowledgeItems": [{"title": "Reeds", "content": "are made of reed"}], "todos": [{"content": "oil it", "status": "pending"}],
  "projectLayouts": ["CANARY"], "attachedFoldersListDirResults": [{"CANARY": "CANARY"}], "summarizedComposers": [{"summary": "They spoke of looms."}],
  "deletedFiles": ["old.c"], "gitStatusRaw": "## main\n M loom.c", "diffHistory": [{"diff": "+taut"}], "ideEditorsState": {"CANARY": "CANARY"}
}
$$);
INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c1:b2', CAST($json$ {"gitStatusRaw": "in a blob"} $$ AS BLOB));
INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c2:b1', $json$ {"cursorRules": [], "gitStatusRaw": "of another conversation"} $$);
INSERT INTO ItemTable VALUES ('cursorAuth/accessToken', 'CANARY');
