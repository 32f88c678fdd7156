-- What nobody may read stays where it is.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO ItemTable VALUES ('cursorAuth/accessToken', 'CANARY'), ('cursorAuth/refreshToken', 'CANARY'), ('cursorAuth/cachedEmail', 'CANARY');
INSERT INTO ItemTable VALUES ('secret://{"extensionId":"loom","key":"apiKey"}', 'CANARY');
INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$
{
  "fullConversationHeadersOnly": [{"bubbleId": "a"}, {"bubbleId": "b"}], "conversationState": "~CANARY", "blobEncryptionKey": "CANARY",
  "codeBlockData": {"x": "CANARY"}, "originalFileStates": {"x": {"content": "CANARY"}}, "capabilities": [{"data": {"bubbleDataMap": "CANARY"}}]
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a', $json$ {"type": 1, "text": "plain", "images": [{"data": "CANARY"}], "conversationState": "~CANARY", "checkpointId": "CANARY"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b', $json$
{
  "type": 2, "text": "", "thinking": {"text": "sealed", "signature": "CANARY", "redactedThinking": "CANARY"},
  "toolFormerData": {
    "name": "read_file", "toolCallBinary": "CANARY",
    "params": @string {"path": "a.png", "signature": "CANARY"},
    "result": @string {"contents": "data:image/png;base64,CANARY", "imageBase64": "CANARY", "encrypted_content": "CANARY"}
  }
}
$$);
INSERT INTO cursorDiskKV VALUES ('checkpointId:c1:x', $json$ {"files": ["CANARY"]} $$);
INSERT INTO cursorDiskKV VALUES ('ofsContent:c1:file:///x', 'CANARY'), ('composer.content.00', 'CANARY'), ('inlineDiff:w:x', 'CANARY'), ('codeBlockPartialInlineDiffFates:c1:a', 'CANARY');
