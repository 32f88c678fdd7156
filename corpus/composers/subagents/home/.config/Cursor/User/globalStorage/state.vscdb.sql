-- Who started whom.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:parent', $json$ {"name": "Parent", "subagentComposerIds": ["child-1"], "isBestOfNParent": true, "subComposerIds": ["best-1", "best-2", ""]} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:child-1', $json$ {"name": "Child", "subagentInfo": {"parentComposerId": "parent", "subagentType": "explore"}} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:child-2', $json$ {"name": "Child", "subagentInfo": null} $$);
