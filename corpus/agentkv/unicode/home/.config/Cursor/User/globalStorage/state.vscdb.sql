-- Letters of many scripts, and an id that is no word.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

$json question$ {"role": "user", "content": "Wie weit ist die Wega? \u7ec7\u5973\u661f"} $$
$proto state$ 1: id question $$

INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name = 'question';
INSERT INTO cursorDiskKV VALUES ('composerData:task-call_x' || char(10) || 'fc_y', $json$ {"conversationState": "~${base64 state}"} $$);
