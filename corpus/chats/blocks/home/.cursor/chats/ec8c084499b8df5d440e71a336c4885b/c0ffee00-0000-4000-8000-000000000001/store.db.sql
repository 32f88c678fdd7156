-- Parts of messages: what is encrypted stays unread, what is unknown is counted.
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
PRAGMA user_version = 1;

$json user$
{
  "role": "user",
  "content": [
    {"type": "text", "text": "<user_query>\nwhat is this\n</user_query>"},
    {"type": "image", "image": {"__type": "Uint8Array", "hex": "CANARY"}},
    {"type": "image", "path": "/tmp/moon.png", "image": "data:image/png;base64,CANARY"},
    {"type": "file", "filename": "ephemeris.pdf", "data": "CANARY", "mediaType": "application/pdf"},
    "a bare string"
  ],
  "createdAt": 1781016250123
}
$$
$json assistant$
{
  "role": "assistant",
  "content": [
    {"type": "reasoning", "text": "A crescent.", "signature": "CANARY-signature"},
    {"type": "reasoning", "text": "", "signature": {"encrypted_content": "CANARY"}},
    {"type": "thinking", "thinking": "Or an eclipse.", "signature": "CANARY"},
    {"type": "redacted-reasoning", "data": "CANARY"},
    {"type": "text", "text": "The moon.\n\n[REDACTED]", "providerOptions": {"cursor": {"modelName": "composer-2.5"}}},
    {"type": "hologram", "data": "CANARY"}
  ],
  "timestamp": "2026-06-09T14:44:15.000Z"
}
$$
$json developer$ {"role": "developer", "content": [{"type": "text", "text": "Be brief."}]} $$
$json odd$ {"role": "oracle", "content": "who knows"} $$
$json none$ {"role": "assistant"} $$
$json wrong$ {"role": "assistant", "content": 7} $$
$json empty$ {"role": "user", "content": [{"type": "text", "text": "  "}]} $$
$proto root$
1: id developer
1: id user
1: id assistant
1: id odd
1: id none
1: id wrong
1: id empty
$$

INSERT INTO blobs SELECT id, data FROM named;

INSERT INTO meta VALUES ('0', lower(hex($json$ {"agentId": "c0ffee00-0000-4000-8000-000000000001", "latestRootBlobId": "${id root}"} $$)));
