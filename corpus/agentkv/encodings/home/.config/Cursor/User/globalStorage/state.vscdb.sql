-- Blobs as bytes, as hex digits, as text, and a zero for nothing.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

$json as-blob$ {"role": "user", "content": "as bytes"} $$
$json as-hex$ {"role": "assistant", "content": "as hex digits"} $$
$json as-text$ {"role": "user", "content": "as text"} $$
$json wrapped-json$ {"role": "assistant", "content": "in a wrapper"} $$
$proto wrapped$
4: data wrapped-json
26: 1781016250000
$$
$hex zero$ 00 $$
$text zero-digits$ 0 $$
$proto user$ 1: "in protobuf" $$
$proto turn$ 1: { 1: id user } $$
$proto state$
1: id as-blob
1: id as-hex
1: id as-text
1: id zero
1: id zero-digits
1: id wrapped
8: id turn
$$

INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, data FROM named WHERE name IN ('as-blob', 'zero', 'wrapped', 'turn');
INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, lower(hex(data)) FROM named WHERE name IN ('as-hex', 'user');
INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, CAST(data AS TEXT) FROM named WHERE name = 'as-text';
INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || id, '00' FROM named WHERE name = 'zero-digits';
INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$ {"_v": 18, "composerId": "c1", "conversationState": "~${base64 state}"} $$);
