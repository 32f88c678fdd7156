CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('composer.planRegistry', CAST($json$
[
  "just_a_name_1a2b",
  {"id": "gears_1", "name": "Gears", "createdBy": "c1", "createdAt": "2026-03-02T08:05:00Z"},
  7
]
$$ AS BLOB));
