-- What bubbles tell of project and model; default is no model.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"fullConversationHeadersOnly": [{"bubbleId": "a"}, {"bubbleId": "b"}, {"bubbleId": "c"}]} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a', $json$
{"type": 1, "text": "one", "workspaceProjectDir": "/home/ada/loom", "workspaceUris": ["file:///home/ada/my%20loom", "file:///home/ada/other"]}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b', $json$ {"type": 2, "text": "two", "modelInfo": {"modelName": "sonnet-9"}, "workspaceProjectDir": "/home/ada/later"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:c', $json$ {"type": 2, "text": "three", "modelInfo": {"modelName": "default"}} $$);

INSERT INTO cursorDiskKV VALUES ('bubbleId:c2:a', $json$ {"type": 2, "text": "ssh", "model": "gpt-4", "workspaceUris": ["vscode-remote://ssh-remote%2Bforge/srv/loom"]} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c3:a', $json$ {"type": 2, "text": "wsl", "modelType": "default", "workspaceUris": ["vscode-remote://wsl+Ubuntu/home/ada/loom%20two"]} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c4:a', $json$ {"type": 2, "text": "container", "workspaceUris": [{"uri": "vscode-remote://dev-container+7b22/workspaces/loom"}]} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c5:a', $json$ {"type": 2, "text": "Windows", "workspaceProjectDir": "C:\\code\\loom", "workspaceUris": ["file:///c%3A/code/loom"]} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c6:a', $json$ {"type": 2, "text": "nowhere", "workspaceProjectDir": "loom", "workspaceUris": []} $$);
