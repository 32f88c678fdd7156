-- Bubbles are read in the order of the headers: not as they were written, nor by their times or
-- keys. What no header names comes last, as an orphan.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a', $json$ {"type": 2, "text": "fourth", "createdAt": "2026-06-09T10:00:00Z"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:z', $json$ {"type": 1, "text": "first", "createdAt": "2026-06-09T10:00:03Z"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:orphan-2', $json$ {"type": 2, "text": "a reply that was made again"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:m', $json$ {"type": 2, "text": "second", "createdAt": "2026-06-09T10:00:01Z"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b', $json$ {"type": 1, "text": "third", "createdAt": "2026-06-09T10:00:01Z"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:orphan-1', $json$ {"type": 1, "text": "a prompt that was edited"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$
{
  "fullConversationHeadersOnly": [
    {"bubbleId": "z", "type": 1}, {"bubbleId": "m", "type": 2}, {"bubbleId": "gone", "type": 2},
    {"bubbleId": "b", "type": 1}, {"bubbleId": "a", "type": 2}, {"bubbleId": "z", "type": 1}, {"type": 2}, "b"
  ]
}
$$);

-- Without a composer, and without headers in it: by time, then as they were written.
INSERT INTO cursorDiskKV VALUES ('bubbleId:c2:x', $json$ {"type": 2, "text": "late", "createdAt": "2026-06-09T10:00:09Z"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c2:w', $json$ {"type": 2, "text": "as late, and written after"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c2:y', $json$ {"type": 1, "text": "early", "createdAt": "2026-06-09T10:00:01Z"} $$);
INSERT INTO cursorDiskKV VALUES ('composerData:c3', $json$ {"fullConversationHeadersOnly": [], "text": "a draft"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c3:q', $json$ {"type": 1, "text": "before"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c3:p', $json$ {"type": 2, "text": "after"} $$);
