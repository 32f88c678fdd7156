-- Tools, code and diffs as versions before 3 kept them.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$
{"fullConversationHeadersOnly": [{"bubbleId": "a"}, {"bubbleId": "b"}, {"bubbleId": "c"}]}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a', $json$
{
  "type": 2, "text": "Edited.", "aiStreamingSettings": {"model": "gpt-4o"}, "agentWorkspace": "/home/ada/.worktrees/loom",
  "toolFormerdata": {"toolCalls": [
    {
      "id": "t1", "type": "edit_file", "status": "completed",
      "arguments": {"path": "weft.c", "edits": [{"oldText": "slack", "newText": "taut", "line": 3}]},
      "result": {"success": true, "diff": "-slack\n+taut", "linesAdded": 1, "linesRemoved": 1}
    },
    {"id": "t2", "type": "read_file", "arguments": {"path": "warp.c"}}
  ]}
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b', $json$
{
  "type": 2, "text": "",
  "toolResults": [{"toolName": "grep", "result": "warp.c:3"}, {"toolName": "list_dir", "result": {"files": ["weft.c", "warp.c"]}}, {"toolName": "read_file", "result": ""}]
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:c', $json$
{
  "type": 2, "text": "Try this.",
  "suggestedCodeBlocks": [{"filePath": "weft.c", "language": "c", "code": "taut();", "startLine": 1, "endLine": 2}],
  "assistantSuggestedDiffs": [{"filePath": "warp.c", "oldContent": "slack();", "newContent": "taut(2);"}]
}
$$);
