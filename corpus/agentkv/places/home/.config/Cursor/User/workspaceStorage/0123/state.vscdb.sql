-- of a workspace, where no agent writes
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

$json message$ {"role": "user", "content": "of a workspace, where no agent writes"} $$
$proto state$ 1: id message $$

INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name = 'message';
INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"_v": 18, "composerId": "c1", "conversationState": "~${base64 state}"} $$);
