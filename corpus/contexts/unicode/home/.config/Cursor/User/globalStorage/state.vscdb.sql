-- All kinds of letters, halves of letters, and bytes that are none.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c1:b1', $json$ {"gitStatusRaw": "## Webstühle\n?? 織機.c 🧵"} $$);
INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c1:b2', '{"gitStatusRaw":"cut \ud83d"}');
INSERT INTO cursorDiskKV VALUES ('messageRequestContext:c1:b3', CAST(CAST('{"gitStatusRaw":"bytes ' AS BLOB) || x'ff' || CAST('"}' AS BLOB) AS BLOB));
