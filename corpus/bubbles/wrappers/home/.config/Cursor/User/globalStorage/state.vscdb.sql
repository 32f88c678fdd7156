-- What Cursor wraps around a prompt is no word of the user.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$
{
  "fullConversationHeadersOnly": [
    {"bubbleId": "a"}, {"bubbleId": "b"}, {"bubbleId": "c"}, {"bubbleId": "d", "createdAt": 1781016300000}, {"bubbleId": "e"}
  ]
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a', $json$
{"type": 1, "text": "<user_info>\nOS Version: linux\n\nWorkspace Path: /home/ada/loom\n</user_info>"}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b', $json$
{
  "type": 1,
  "text":
    "<timestamp>Tuesday, Jun 9, 2026, 2:44 PM (UTC+0)</timestamp>\n"
    "<user_query>\nmend the loom\n</user_query>"
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:c', $json$
{
  "type": 1, "createdAt": "2026-06-09T14:44:30.000Z",
  "text": "<timestamp>Tuesday, Jun 9, 2026, 2:44 PM (UTC+0)</timestamp>\n<user_query>now</user_query>"
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:d', $json$
{
  "type": 1,
  "text": "<timestamp>Tuesday, Jun 9, 2026, 2:44 PM (UTC+0)</timestamp>\n<user_query>its header knows better</user_query>"
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:e', $json$ {"type": 2, "text": "say <user_query> to me"} $$);
