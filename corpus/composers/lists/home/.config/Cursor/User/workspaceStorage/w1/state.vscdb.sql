CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('composer.composerData', $json$
{
  "allComposers": [
    {"composerId": "c2", "name": "Warp", "subtitle": "New chat", "unifiedMode": "edit", "createdAt": 1730000000000, "createdOnBranch": "main", "type": "head"},
    {"composerId": "c3", "conversation": [{"type": 1, "text": "CANARY"}]}
  ],
  "selectedComposerIds": ["c2", "c4"], "lastFocusedComposerIds": ["c4", ""], "hasMigratedComposerData": true
}
$$);
