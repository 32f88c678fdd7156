CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('aiService.prompts', '[{"text":"wie spät ist Hochwasser?"},{"text":"half \ud83d of a moon"}]');
INSERT INTO ItemTable VALUES ('aiService.generations', '[{"unixMs":1772438700000,"textDescription":"wie sp\u00e4t ist Hochwasser?"}]');
