-- What is no JSON, or JSON of another shape, is skipped; the rest is read.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c1:b1', 'not JSON');
INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c1:b2', '[]');
INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c1:b3', $json$ {"cursorRules": {"name": "odd"}, "todos": 7, "gitStatusRaw": ["fine"]} $$);
