-- Tables of these names with other columns.
CREATE TABLE cursorDiskKV (id TEXT, document BLOB);
CREATE TABLE ItemTable (name TEXT);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c2:a', $json$ {"type": 1, "text": "CANARY"} $$);
