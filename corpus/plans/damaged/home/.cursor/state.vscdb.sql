CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('composer.planRegistry', $json$
{"p1": 7, "p2": {"id": 7, "uri": 7, "createdBy": ["c1"], "createdAt": "soon"}, "": {"createdBy": "c9"}}
$$);
INSERT INTO ItemTable VALUES ('composer.planRedirects', '{"file:///a.plan.md": 7}');
