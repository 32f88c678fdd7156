-- One list is cut off: the other is read.

CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('aiService.prompts', '[{"text":"cut o');
INSERT INTO ItemTable VALUES ('aiService.generations', '[{"unixMs":1772438700000,"textDescription":"whole"},7]');
