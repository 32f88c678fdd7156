-- Since version 3, only ids.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('composer.composerData', $json$ {"selectedComposerIds": ["c1"], "lastFocusedComposerIds": ["c1"], "hasMigratedComposerData": true} $$);
