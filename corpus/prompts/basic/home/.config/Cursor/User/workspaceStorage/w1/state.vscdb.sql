-- Prompts without times, generations that have them. The last generation has no prompt (any more),
-- that of an apply is a file's name.

CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('aiService.prompts', $json$
[
  {"text": "turn the gear", "commandType": 4},
  {"text": "continue", "commandType": 4},
  {"text": "oil the axle", "commandType": 4},
  {"text": "continue", "commandType": 4},
  {"text": "never sent", "commandType": 4}
]
$$);
INSERT INTO ItemTable VALUES ('aiService.generations', $json$
[
  {"unixMs": 1772438700000, "generationUUID": "g1", "type": "composer", "textDescription": "turn the gear"},
  {"unixMs": 1772438760000, "generationUUID": "g2", "type": "composer", "textDescription": "continue"},
  {"unixMs": 1772438770000, "generationUUID": "g3", "type": "apply", "textDescription": "gear.c"},
  {"unixMs": 1772438820000, "generationUUID": "g4", "type": "chat", "textDescription": "oil the axle"},
  {"unixMs": 1772438880000, "generationUUID": "g5", "type": "composer", "textDescription": "continue"},
  {"unixMs": 1772438940000, "generationUUID": "g6", "type": "cmdk", "textDescription": "rename to axle"}
]
$$);
