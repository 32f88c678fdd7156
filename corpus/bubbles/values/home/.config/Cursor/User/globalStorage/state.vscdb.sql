-- Values are TEXT or BLOB alike. NULL and nothing at all are no bubbles.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', CAST($json$
{
  "_v": 18, "fullConversationHeadersOnly": [
    {"bubbleId": "text", "type": 1}, {"bubbleId": "blob", "type": 2}, {"bubbleId": "null", "type": 2},
    {"bubbleId": "nothing", "type": 2}, {"bubbleId": "blank", "type": 2}, {"bubbleId": "dangling", "type": 2}
  ]
}
$$ AS BLOB));
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:text', $json$ {"_v": 3, "type": 1, "text": "as text"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:blob', CAST($json$ {"_v": 3, "type": 2, "text": "as a blob"} $$ AS BLOB));
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:null', NULL);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:nothing', '');
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:blank', $json$ {"_v": 3, "type": 2, "text": " \n "} $$);
