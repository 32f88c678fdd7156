CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
@wal
INSERT INTO ItemTable VALUES ('aiService.prompts', '[{"text":"of a workspace, in its -wal"}]');
INSERT INTO ItemTable VALUES ('cursorAuth/refreshToken', 'CANARY');
