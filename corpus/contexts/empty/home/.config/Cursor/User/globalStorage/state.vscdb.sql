-- Most are nearly empty.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c1:b1', $json$ {"terminalFiles": [], "cursorRules": [], "knowledgeItems": [], "todos": [], "projectLayouts": ["{}"], "deletedFiles": [], "diffHistory": []} $$);
INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c1:b2', $json$ {"projectLayouts": ["CANARY"]} $$);
INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c1:b3', NULL), ('messageRequestContext:c1:b4', '');
