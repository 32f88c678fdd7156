-- Only generations.

CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('aiService.generations', $json$
[{"unixMs": 1772438700000, "type": "composer", "textDescription": "alone"}]
$$);
