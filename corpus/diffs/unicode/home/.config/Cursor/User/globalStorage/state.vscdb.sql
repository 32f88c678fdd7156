-- All kinds of letters, halves of letters, and bytes that are none.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c1:d1', $json$ {"newModelDiffWrtV0": [{"modified": ["// Webstühle 織機 🧵"]}]} $$);
INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c1:d2', '{"newModelDiffWrtV0":[{"modified":["cut \ud83d"]}]}');
INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c1:d3', CAST(CAST('{"newModelDiffWrtV0":[{"modified":["bytes ' AS BLOB) || x'ff' || CAST('"]}]}' AS BLOB) AS BLOB));
