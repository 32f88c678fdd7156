-- Code blocks are part of their message; what its text shows is not told twice.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$
{"fullConversationHeadersOnly": [{"bubbleId": "a"}, {"bubbleId": "b"}, {"bubbleId": "c"}]}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a', $json$
{
  "type": 2, "text": "Like this:\n```c\nfree(yarn);\n```\nand that.",
  "codeBlocks": [
    {"content": "free(yarn);\n", "languageId": "c", "codeBlockIdx": 0, "uri": {"_fsPath": "/home/ada/loom/weft.c"}},
    {"content": "free(reed);", "codeBlockIdx": 1, "uri": {"path": "/home/ada/loom/warp.c"}},
    {"content": "free(reed);", "codeBlockIdx": 2},
    {"content": "", "codeBlockIdx": 3}
  ]
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b', $json$ {"type": 2, "text": "", "codeBlocks": [{"content": "int heddle;", "uri": {"external": "file:///home/ada/my%20loom/h.c"}}]} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:c', $json$ {"type": 1, "text": "look", "codeBlocks": [{"content": "of the user"}]} $$);
