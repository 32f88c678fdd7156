CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);

$json question$
{
  "role": "user",
  "content": [
    {"type": "text", "text": "<user_query>\nwhy does the gizmo leak\n</user_query>"},
    {"type": "image", "image": {"__type": "Uint8Array", "hex": "CANARY-image-hex"}}
  ]
}
$$

$json answer$
{
  "role": "assistant",
  "id": "1",
  "content": [
    {
      "type": "reasoning",
      "text": "Look at free().",
      "signature": {"encrypted_content": "CANARY-encrypted-content"}
    },
    {"type": "redacted-reasoning", "data": "CANARY-redacted-reasoning"},
    {"type": "text", "text": "It is never freed.", "providerOptions": {"x": {"signature": "CANARY-chat-signature"}}},
    {
      "type": "tool-call",
      "toolCallId": "t1",
      "toolName": "Read",
      "args": {"path": "/home/ada/widget/gizmo.c", "signature": "CANARY-argument-signature"}
    }
  ]
}
$$

$json abandoned$ {"role": "user", "content": "CANARY-abandoned is not part of the conversation"} $$

$proto root$
1: id question
1: id answer
12: { 1: "/home/ada/widget/.env"  2: "CANARY-file-state" }
15: { 1: "/home/ada/widget/.env"  2: "CANARY-file-state-2" }
$$

INSERT INTO blobs SELECT id, data FROM named;
INSERT INTO meta VALUES ('0', lower(hex($json$
{
  "agentId": "c0ffee00-0000-4000-8000-000000000001",
  "latestRootBlobId": "${id root}",
  "name": "Gizmo leak",
  "createdAt": 1781016250000,
  "blobEncryptionKey": "CANARY-blob-key"
}
$$)));
INSERT INTO meta VALUES ('1', '{"blobEncryptionKey": "CANARY-plain-blob-key"}');
