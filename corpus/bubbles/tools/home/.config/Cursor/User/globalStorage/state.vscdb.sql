-- Calls of tools, with arguments and results in all their forms.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$
{
  "fullConversationHeadersOnly": [
    {"bubbleId": "a"}, {"bubbleId": "b"}, {"bubbleId": "c"}, {"bubbleId": "d"}, {"bubbleId": "e"}, {"bubbleId": "f"},
    {"bubbleId": "g"}, {"bubbleId": "h"}, {"bubbleId": "i"}, {"bubbleId": "j"}, {"bubbleId": "k"}, {"bubbleId": "l"}
  ]
}
$$);
-- JSON in strings.
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a', $json$
{
  "type": 2, "text": "",
  "toolFormerData": {
    "tool": 41, "name": "ripgrep_raw_search", "status": "completed",
    "params": @string {"pattern": "yarn_(new|free)", "path": "/home/ada/loom", "options": {"caseInsensitive": true}},
    "result": @string {"matches": [{"file": "loom.c", "line": "yarn_new();"}], "totalMatches": 1}
  }
}
$$);
-- Objects as they are.
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b', $json$
{
  "type": 2, "text": "",
  "toolFormerData": {"name": "read_file", "params": {"filePath": "loom.h"}, "result": {"contents": "struct loom;"}}
}
$$);
-- What the model wrote itself, where nothing was made of it.
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:c', $json$
{"type": 2, "text": "", "toolFormerData": {"name": "list_dir", "params": "", "rawArgs": @string {"directory": "src"}, "result": "weft.c\nwarp.c"}}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:d', $json$
{"type": 2, "text": "", "toolFormerData": {"name": "run_terminal_command_v2", "rawArgs": "{\"command\": \"make te", "status": "loading"}}
$$);
-- Edits, whose result is a diff.
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:e', $json$
{
  "type": 2, "text": "",
  "toolFormerData": {
    "tool": 38, "name": "edit_file_v2", "status": "completed",
    "params": @string {"relativeWorkspacePath": "src/weft.c", "streamingContent": "free(yarn);"},
    "result": @string {"diff": {"chunks": [{"diffString": "-return;\n+free(yarn);", "oldStart": 3, "newStart": 3}], "editor": "EDITOR_AI"}, "resultForModel": "done"}
  }
}
$$);
-- Errors, in words and as an object.
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:f', $json$
{"type": 2, "text": "", "toolFormerData": {"name": "web_search", "params": @string {"query": "loom reeds"}, "status": "error", "error": "timed out"}}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:g', $json$
{
  "type": 2, "text": "",
  "toolFormerData": {"name": "web_fetch", "params": @string {"url": "https://example.org/reeds"}, "status": "error", "result": "", "error": @string {"clientVisibleErrorMessage": "no such host"}}
}
$$);
-- Rejected, as newer versions say it.
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:h', $json$
{"type": 2, "text": "", "toolFormerData": {"name": "delete_file", "params": @string {"targetFile": "warp.c"}, "additionalData": {"status": "cancelled", "userDecision": "rejected"}}}
$$);
-- Of a server, without arguments.
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:i', $json$
{
  "type": 2, "text": "",
  "toolFormerData": {
    "tool": 19, "name": "mcp-weather-now", "params": "", "rawArgs": "", "toolCallBinary": "CANARY",
    "result": @string {"content": [{"type": "text", "text": "rain"}, {"type": "image", "dataBase64": "CANARY", "url": "data:image/png;base64,CANARY"}], "signature": "CANARY"}
  }
}
$$);
-- Without a name: only a number, and nothing but the remains of a call.
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:j', $json$
{"type": 2, "text": "", "toolFormerData": {"tool": 42, "params": {"globPattern": "*.reed"}, "result": {"files": ["a.reed"]}}}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:k', $json$
{"type": 2, "text": "", "toolFormerData": {"tool": 15, "additionalData": {"status": "error"}, "params": "", "result": ""}}
$$);
-- With words around it.
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:l', $json$
{"type": 2, "text": "Let me ask.", "thinking": {"text": "Better ask."}, "toolFormerData": {"tool": 51, "name": "ask_question", "params": @string {"questions": [{"prompt": "Which reed?"}]}, "result": @string {"answers": ["the fine one"]}}}
$$);
