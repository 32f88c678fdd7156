-- Projects of the window for agents.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO ItemTable VALUES ('glass.localAgentProjects.v1', $json$
[{"id": "p1", "name": "Loom", "workspace": {"id": "9f1c", "uri": {"fsPath": "/home/ada/loom"}}, "createdAt": 1781016250000}, {"id": "p2", "name": "Far", "workspace": {"uri": "vscode-remote://ssh-remote%2Bforge/srv/loom"}}, {"id": "p3", "name": "Nowhere"}]
$$);
INSERT INTO ItemTable VALUES ('glass.localAgentProjectMembership.v1', $json$ {"c1": "p1", "c2": "p2", "c3": "p3", "c4": "unknown", "c5": 7} $$);
