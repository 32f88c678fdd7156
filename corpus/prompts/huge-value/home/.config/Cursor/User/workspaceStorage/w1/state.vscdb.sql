CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('aiService.prompts', zeroblob(67108865));
INSERT INTO ItemTable VALUES ('aiService.generations', '[{"unixMs":1772438700000,"textDescription":"small"}]');
