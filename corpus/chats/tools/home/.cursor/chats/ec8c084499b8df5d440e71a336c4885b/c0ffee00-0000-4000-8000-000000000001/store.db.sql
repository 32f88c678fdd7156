-- Calls and results in all their shapes, and tools of the turns.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$json calls$
{
  "role": "assistant",
  "id": "1",
  "content": [
    {"type": "tool-call", "toolCallId": "t1", "toolName": "Read", "args": {"path": "/home/ada/orrery/moon.c"}},
    {"type": "tool-call", "toolCallId": "t2", "toolName": "Shell", "args": {"command": "make", "working_directory": "/home/ada/orrery"}},
    {"type": "tool_use", "id": "t3", "name": "Grep", "input": {"pattern": "phase", "path": "/home/ada/orrery"}},
    {"type": "tool_call", "id": "t4", "name": "Glob", "arguments": "{\"glob_pattern\": \"*.c\"}"},
    {"type": "tool-call", "toolCallId": "t5", "toolName": "ApplyPatch", "args": "*** Begin Patch\n*** Update File: moon.c\n@@\n-a\n+b\n*** End Patch"},
    {"type": "tool-call", "toolCallId": "t6", "toolName": "LS", "args": {}, "providerOptions": {"cursor": {"rawToolCallArgs": "{\"target_directory\": \"/home/ada\"}"}}}
  ]
}
$$
$json results$
{
  "role": "tool",
  "id": "t1",
  "content": [
    {"type": "tool-result", "toolCallId": "t1", "toolName": "Read", "result": "     1|int phase;\n     2|  12|13\n"},
    {"type": "tool-result", "toolCallId": "t2", "toolName": "Shell", "result": [{"type": "text", "text": "cc moon.c"}, {"type": "image", "image": "CANARY"}, {"type": "text", "text": "done"}]},
    {"type": "tool_result", "tool_call_id": "t3", "name": "Grep", "output": "moon.c:1:int phase;"},
    {"type": "tool-result", "toolCallId": "t4", "toolName": "Glob", "result": {"files": ["moon.c", "sun.c"], "total": 2}},
    {"type": "tool-result", "toolCallId": "t5", "toolName": "ApplyPatch", "result": "", "experimental_content": [{"type": "text", "text": "patched"}]},
    {"type": "tool-result", "toolCallId": "t6", "toolName": "LS", "output": {"type": "json", "value": {"entries": ["orrery"]}}}
  ],
  "providerOptions": {"cursor": {"highLevelToolCallResult": {"output": {"success": {"content": "CANARY"}}}}}
}
$$
$json openai-call$
{
  "role": "assistant",
  "content": null,
  "tool_calls": [{"id": "o1", "type": "function", "function": {"name": "read_file", "arguments": "{\"target_file\": \"sun.c\"}"}}]
}
$$
$json openai-result$ {"role": "tool", "tool_call_id": "o1", "content": "     1|int flare;"} $$
$json error$ {"role": "tool", "content": [{"type": "tool-result", "toolName": "Read", "isError": true, "result": "Error: no such file\n  3|not a line of it"}]} $$

$proto shell-again$ 2: { 1: { 1: { 1: "make"  2: "/home/ada/orrery"  4: "t2"  15: "build it" }  2: { 1: { 1: "make"  5: "cc moon.c\ndone\n" } } }  57: "t2" } $$
$proto shell-failed$ 2: { 1: { 1: { 1: "make test" }  2: { 2: { 1: "make test"  3: 2  5: "1 test"  6: "phase is wrong" } } }  57: "p1" } $$
$proto read$ 2: { 8: { 1: { 1: "/home/ada/orrery/sun.c"  2: 1 }  2: { 1: { 1: "int flare;"  4: 1  7: "/home/ada/orrery/sun.c" } } }  57: "p2" } $$
$proto read-error$ 2: { 8: { 1: { 1: "gone.c" }  2: { 2: { 1: "File not found" } } }  57: "p3" } $$
$proto edit$ 2: { 12: { 1: { 1: "/home/ada/orrery/sun.c"  6: "int flares;" }  2: { 1: { 1: "/home/ada/orrery/sun.c"  3: 1  4: 1  5: "-int flare;\n+int flares;"  6: "int flare;"  7: "int flares;"  8: "The file was edited." } } }  57: "p4" } $$
$proto delete$ 2: { 3: { 1: { 1: "/home/ada/orrery/old.c"  2: "p5" }  2: { 1: { 1: "deleted" } } }  57: "p5" } $$
$proto web$ 2: { 18: { 1: { 1: "solar flares" }  2: { 1: { 1: { 1: "Flares"  2: "https://example.org/flares"  3: "A flare is bright." } } } }  57: "p6" } $$
$proto unknown$ 2: { 99: { 1: { 1: "some argument" }  2: { 1: "some result" } }  57: "p7" } $$
$proto pending$ 2: { 5: { 1: { 1: "flare" } }  57: "p8" } $$
$proto turn$
1: {
  2: id shell-again
  2: id shell-failed
  2: id read
  2: id read-error
  2: id edit
  2: id delete
  2: id web
  2: id unknown
  2: id pending
}
$$
$proto root$
1: id calls
1: id results
1: id openai-call
1: id openai-result
1: id error
8: id turn
$$

INSERT INTO blobs SELECT id, data FROM named;

INSERT INTO meta VALUES ('0', lower(hex($json$ {"agentId": "c0ffee00-0000-4000-8000-000000000001", "latestRootBlobId": "${id root}"} $$)));
