-- Lists inside objects; equal texts in a row are one prompt.

CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('aiService.prompts', CAST($json$
{"prompts": [{"text": "again"}, {"text": "again "}, "a bare string", {"text": ""}, {"text": "again"}]}
$$ AS BLOB));
INSERT INTO ItemTable VALUES ('aiService.generations', $json$
{"generations": [
  {"unixMs": "1772438700000", "textDescription": "again"},
  {"unixMs": 1772438760, "textDescription": "again"},
  {"unixMs": 0, "textDescription": "at no time"}
]}
$$);
