CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('aiService.prompts', '[]');
INSERT INTO ItemTable VALUES ('aiService.generations', NULL);
