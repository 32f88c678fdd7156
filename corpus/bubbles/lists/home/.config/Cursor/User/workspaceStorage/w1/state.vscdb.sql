-- Heads that are whole documents, as in versions 0.4x; a row knows better.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('composer.composerData', $json$
{
  "allComposers": [
    {"composerId": "c1", "createdAt": 1730000000000, "type": "head", "conversation": [{"bubbleId": "a", "type": 1, "text": "in a list"}, {"bubbleId": "b", "type": 2, "text": "of heads"}]},
    {"composerId": "c2", "type": "head", "name": "Only a head"},
    {"composerId": "c3", "conversation": [{"type": 1, "text": "CANARY"}]},
    {"conversation": [{"type": 1, "text": "of no conversation"}]}
  ],
  "selectedComposerIds": ["c1"]
}
$$);
INSERT INTO cursorDiskKV VALUES ('composerData:c3', $json$ {"conversation": [{"type": 1, "text": "in a row"}]} $$);
