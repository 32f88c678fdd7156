-- Panes of a workspace's window show its conversations.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('workbench.panel.composerChatViewPane.3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3', '[]');
INSERT INTO ItemTable VALUES ('workbench.panel.composerChatViewPane.state', $json$ {"workbench.panel.aichat.view.8c41d7aa-90be-4f57-b2c3-1d6f0e9a3b58": {"collapsed": false}} $$);
INSERT INTO ItemTable VALUES ('workbench.panel.aichat.view.d27e60b9-4c13-4e8a-a0f4-7b95c2e1d630', 'f60b8d24-57ca-4e93-b1f8-2c9e70a4d3b6');
INSERT INTO ItemTable VALUES ('workbench.panel.aichat.5be8f3d0-61a7-4c29-9d84-e0a2b7f41c95.numberOfVisibleViews', '1');
INSERT INTO ItemTable VALUES ('workbench.panel.composerChatViewPane.not-an-id', '3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7bz');
INSERT INTO ItemTable VALUES ('workbench.panel.other.1b7f5ce4-03d8-4ab2-9c60-f8e1a4d92375', '[]');
