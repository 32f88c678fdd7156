-- What is attached to a message, and what it refers to.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$
{"fullConversationHeadersOnly": [{"bubbleId": "a"}, {"bubbleId": "b"}, {"bubbleId": "c"}, {"bubbleId": "d"}, {"bubbleId": "e"}]}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a', $json$
{
  "type": 1, "text": "with files",
  "relevantFiles": ["src/weft.c", "src/weft.c"],
  "attachedCodeChunks": [{"relativeWorkspacePath": "src/warp.c", "startLineNumber": 3, "lines": ["x"]}],
  "attachedFolders": ["docs"],
  "images": [{"path": "/tmp/reed.png"}, {"data": "CANARY"}, {"path": "data:image/png;base64,CANARY"}],
  "context": {
    "fileSelections": [{"uri": {"fsPath": "c:\\Users\\ada\\loom\\heddle.c", "_sep": 1, "scheme": "file"}}],
    "folderSelections": [{"uri": "file:///home/ada/my%20loom"}],
    "selections": [{"text": "x", "uri": {"path": "/home/ada/loom/main.c", "scheme": "vscode-remote", "fsPath": "\\home\\ada\\loom\\main.c"}}]
  },
  "recentlyViewedFiles": ["not spoken of"], "lints": ["skipped"], "multiFileLinterErrors": [{"message": "skipped"}]
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b', $json$
{
  "type": 2, "text": "Found it.",
  "webReferences": [{"title": "Reeds", "url": "https://example.org/reeds"}], "docsReferences": [{"name": "The loom's manual"}],
  "aiWebSearchResults": []
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:c', $json$ {"type": 2, "text": "", "errorDetails": {"message": "Connection lost", "error": 14}} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:d', $json$ {"type": 2, "text": "", "errorDetails": {"generationUUID": "g1", "error": {"code": 2, "detail": "too many looms"}}} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:e', $json$ {"type": 2, "text": "", "errorDetails": "only words"} $$);
