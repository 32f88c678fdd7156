-- When a bubble was written: what it says itself, then what its header says, then the bubble before
-- it, then the conversation.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('composerData:c1', $json$
{
  "createdAt": 1756230000000,
  "fullConversationHeadersOnly": [
    {"bubbleId": "none"}, {"bubbleId": "iso"}, {"bubbleId": "ms"}, {"bubbleId": "digits"}, {"bubbleId": "stamp"},
    {"bubbleId": "sent"}, {"bubbleId": "settled"}, {"bubbleId": "ended"},
    {"bubbleId": "header", "createdAt": 1756230700000}, {"bubbleId": "neighbour"},
    {"bubbleId": "bad", "createdAt": "2025-08-26T18:00:00.000Z"}, {"bubbleId": "wins", "createdAt": 1}
  ]
}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:none', $json$ {"_v": 2, "type": 1, "text": "of the conversation", "timingInfo": {"clientStartTime": 812.4}} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:iso', $json$ {"_v": 3, "type": 2, "text": "ISO", "createdAt": "2025-08-26T17:51:00.250Z", "timestamp": 1} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:ms', $json$ {"_v": 3, "type": 2, "text": "ms", "createdAt": 1756230661000} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:digits', $json$ {"_v": 3, "type": 2, "text": "digits", "createdAt": "1756230662000"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:stamp', $json$ {"_v": 3, "type": 2, "text": "timestamp", "timestamp": 1756230663000, "timingInfo": {"clientRpcSendTime": 1}} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:sent', $json$
{"_v": 2, "type": 2, "text": "sent", "timingInfo": {"clientStartTime": 812.4, "clientRpcSendTime": 1756230664000, "clientSettleTime": 1756230665000}}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:settled', $json$
{"_v": 2, "type": 2, "text": "settled", "timingInfo": {"clientRpcSendTime": 912.1, "clientSettleTime": 1756230666000, "clientEndTime": 1756230667000}}
$$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:ended', $json$ {"_v": 2, "type": 2, "text": "ended", "timingInfo": {"clientEndTime": 1756230668000}} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:header', $json$ {"_v": 3, "type": 2, "text": "of its header"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:neighbour', $json$ {"_v": 3, "type": 2, "text": "of the one before"} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:bad', $json$ {"_v": 3, "type": 2, "text": "not of itself", "createdAt": "yesterday", "timestamp": -5} $$);
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:wins', $json$ {"_v": 3, "type": 2, "text": "not of such a header"} $$);

-- Nothing tells.
INSERT INTO cursorDiskKV VALUES ('bubbleId:c2:b1', $json$ {"_v": 2, "type": 1, "text": "when was that"} $$);
