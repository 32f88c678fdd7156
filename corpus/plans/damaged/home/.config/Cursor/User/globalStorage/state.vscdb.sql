CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('composer.planRegistry', '{"p1": {"id": "p');
INSERT INTO ItemTable VALUES ('composer.planRedirects', '[7]');
