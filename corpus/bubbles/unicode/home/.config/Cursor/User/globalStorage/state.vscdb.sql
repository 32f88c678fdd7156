-- All kinds of letters, halves of letters, and bytes that are none.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"fullConversationHeadersOnly": [{"bubbleId": "a"}, {"bubbleId": "b"}, {"bubbleId": "c"}, {"bubbleId": "d"}, {"bubbleId": "é"}]} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a', $json$ {"type": 1, "text": "Der Webstuhl klemmt: ткань, 織機, 베틀, 🧵"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b', $text$
{"type":2,"text":"cut \ud83d and \ude00 and \ud83e\uddf5","toolFormerData":{"name":"read_file","params":"{\"path\":\"\\ud83d.c\"}","result":"{\"contents\":\"x\\ud83d\"}"}}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:c', CAST(CAST('{"type":2,"text":"bytes ' AS BLOB) || x'fffe' || CAST(' here"}' AS BLOB) AS BLOB));
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:d', CAST('{"type":2,"text":"a' || char(9) || 'tab"}' AS BLOB));
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:é', $json$ {"type": 2, "text": "a key with a letter"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:織機:b', $json$ {"type": 1, "text": "of a conversation with letters"} $$);
