-- The global database of the IDE: conversations, their messages, and secrets that nobody may read.
-- The notation is described in corpus/README.md.

CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt INTEGER,
  lastUpdatedAt INTEGER, isArchived INTEGER, isSubagent INTEGER, recency INTEGER,
  checkpointAt INTEGER, value TEXT);

-- The auth bug; the same conversation has a transcript and a CLI chat.

INSERT INTO cursorDiskKV VALUES ('composerData:3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3', $json$
{
  "_v": 17,
  "composerId": "3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3",
  "name": "Auth bug: refresh token race",
  "subtitle": "refresh.ts, apiClient.ts",
  "createdAt": 1781009050000,
  "lastUpdatedAt": 1781010168000,
  "unifiedMode": "agent",
  "status": "completed",
  "modelConfig": {"modelName": "claude-sonnet-5", "maxMode": false},
  "workspaceIdentifier": {
    "id": "4b1d9e0c7f52a86301e5c9d7b2f4a681",
    "uri": {"fsPath": "/home/mira/lanternpost", "scheme": "file"}
  },
  "createdOnBranch": "fix/refresh-race",
  "subagentComposerIds": ["a91d04c7-2f6e-4b1b-8f0d-6c3e5a7710f2"],
  "todos": [
    {"id": "1", "content": "share one refresh in flight in apiClient.ts", "status": "completed"},
    {"id": "2", "content": "lock the row in rotateRefreshToken", "status": "completed"},
    {"id": "3", "content": "watch the 401 rate for a week", "status": "pending"}
  ],
  "latestConversationSummary": {
    "summary": {
      "summary": "The user hunts random logouts. Cause: two concurrent refreshes with one JWT refresh token; reuse detection revokes the family. Fixed on client and server."
    },
    "lastBubbleId": "b3f2a9c1-0000-4000-8000-000000000011"
  },
  "fullConversationHeadersOnly": [
    {"bubbleId": "b3f2a9c1-0000-4000-8000-000000000001", "type": 1},
    {"bubbleId": "b3f2a9c1-0000-4000-8000-000000000002", "type": 2},
    {"bubbleId": "b3f2a9c1-0000-4000-8000-000000000003", "type": 2},
    {"bubbleId": "b3f2a9c1-0000-4000-8000-000000000004", "type": 2},
    {"bubbleId": "b3f2a9c1-0000-4000-8000-000000000005", "type": 2},
    {"bubbleId": "b3f2a9c1-0000-4000-8000-000000000006", "type": 2},
    {"bubbleId": "b3f2a9c1-0000-4000-8000-000000000007", "type": 2},
    {"bubbleId": "b3f2a9c1-0000-4000-8000-000000000008", "type": 2},
    {"bubbleId": "b3f2a9c1-0000-4000-8000-000000000009", "type": 2},
    {"bubbleId": "b3f2a9c1-0000-4000-8000-000000000010", "type": 2},
    {"bubbleId": "b3f2a9c1-0000-4000-8000-000000000011", "type": 2},
    {"bubbleId": "b3f2a9c1-0000-4000-8000-000000000012", "type": 1},
    {"bubbleId": "b3f2a9c1-0000-4000-8000-000000000013", "type": 2}
  ],
  "conversationMap": {},
  "conversationState": "~"
}
$$);

INSERT INTO cursorDiskKV VALUES ('bubbleId:3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3:b3f2a9c1-0000-4000-8000-000000000001', $json$
{
  "_v": 3,
  "type": 1,
  "bubbleId": "b3f2a9c1-0000-4000-8000-000000000001",
  "text": "We have an auth bug in production: users get logged out at random, mostly when they come back to a tab after lunch. The API log shows pairs of POST /auth/refresh from the same client, the first answers 200 and the second 401 refresh_token_reused, and right after that the whole session is revoked. Can you find the auth bug and fix it?",
  "unifiedMode": 2,
  "workspaceProjectDir": "/home/mira/lanternpost",
  "relevantFiles": ["src/auth/refresh.ts"],
  "createdAt": "2026-06-09T12:44:10.000Z"
}
$$);

INSERT INTO cursorDiskKV VALUES ('bubbleId:3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3:b3f2a9c1-0000-4000-8000-000000000002', $json$
{
  "_v": 3,
  "type": 2,
  "bubbleId": "b3f2a9c1-0000-4000-8000-000000000002",
  "text": "",
  "thinking": {
    "text": "Pairs of refresh calls from one client: a race rather than an expiry. Who calls refresh, and is rotation atomic?",
    "signature": "CANARY-signature-never-indexed"
  },
  "createdAt": "2026-06-09T12:44:14.000Z"
}
$$);

INSERT INTO cursorDiskKV VALUES ('bubbleId:3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3:b3f2a9c1-0000-4000-8000-000000000003', $json$
{
  "_v": 3,
  "type": 2,
  "bubbleId": "b3f2a9c1-0000-4000-8000-000000000003",
  "text": "I'll start with the refresh endpoint and everything that calls it.",
  "modelInfo": {"modelName": "claude-sonnet-5"},
  "createdAt": "2026-06-09T12:44:19.000Z"
}
$$);

INSERT INTO cursorDiskKV VALUES ('bubbleId:3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3:b3f2a9c1-0000-4000-8000-000000000004', $json$
{
  "_v": 3,
  "type": 2,
  "bubbleId": "b3f2a9c1-0000-4000-8000-000000000004",
  "text": "",
  "toolFormerData": {
    "tool": 41,
    "name": "ripgrep_raw_search",
    "params": @string {"pattern": "refreshAccessToken|/auth/refresh", "path": "/home/mira/lanternpost/src"},
    "rawArgs": "",
    "result": @string {
      "output":
        "src/web/apiClient.ts:31:export async function refreshAccessToken()\n"
        "src/web/useSession.ts:18:      void refreshAccessToken();\n"
        "src/auth/routes.ts:44:router.post('/auth/refresh', rotate);\n"
    },
    "status": "completed",
    "toolCallId":
      "call_01\n"
      "fc_01"
  },
  "createdAt": "2026-06-09T12:44:21.000Z"
}
$$);

INSERT INTO cursorDiskKV VALUES ('bubbleId:3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3:b3f2a9c1-0000-4000-8000-000000000005', $json$
{
  "_v": 3,
  "type": 2,
  "bubbleId": "b3f2a9c1-0000-4000-8000-000000000005",
  "text": "",
  "toolFormerData": {
    "tool": 40,
    "name": "read_file_v2",
    "params": @string {"targetFile": "/home/mira/lanternpost/src/auth/refresh.ts"},
    "rawArgs": "",
    "result": @string {
      "contents":
        "export async function rotateRefreshToken(token: string) {\n"
        "  const row = await db.one('SELECT * FROM refresh_tokens WHERE hash = $1', [hashToken(token)]);\n"
        "  if (row.used_at) {\n"
        "    await revokeFamily(row.family_id);\n"
        "    throw new AuthError('refresh_token_reused');\n"
        "  }\n"
        "  await db.none('UPDATE refresh_tokens SET used_at = now() WHERE id = $1', [row.id]);\n"
        "  return issuePair(row.family_id);\n"
        "}\n",
      "totalLinesInFile": 9
    },
    "status": "completed",
    "toolCallId": "call_02"
  },
  "createdAt": "2026-06-09T12:44:23.000Z"
}
$$);

INSERT INTO cursorDiskKV VALUES ('bubbleId:3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3:b3f2a9c1-0000-4000-8000-000000000006', $json$
{
  "_v": 3,
  "type": 2,
  "bubbleId": "b3f2a9c1-0000-4000-8000-000000000006",
  "text": "Two callers can refresh at the same time: `apiClient` on a 401 and the `useSession` hook when the tab becomes visible. Let me look at how the server rotates the token.",
  "modelInfo": {"modelName": "claude-sonnet-5"},
  "createdAt": "2026-06-09T12:44:40.000Z"
}
$$);

INSERT INTO cursorDiskKV VALUES ('bubbleId:3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3:b3f2a9c1-0000-4000-8000-000000000007', $json$
{
  "_v": 3,
  "type": 2,
  "bubbleId": "b3f2a9c1-0000-4000-8000-000000000007",
  "text": "",
  "toolFormerData": {
    "tool": 48,
    "name": "task_v2",
    "params": @string {
      "description": "Trace token rotation",
      "prompt": "Find every place that reads or writes refresh_tokens in /home/mira/lanternpost and report whether the check and the write happen in one transaction."
    },
    "rawArgs": "",
    "result": @string {"agentId": "a91d04c7-2f6e-4b1b-8f0d-6c3e5a7710f2"},
    "status": "completed",
    "toolCallId": "call_03"
  },
  "createdAt": "2026-06-09T12:45:02.000Z"
}
$$);

INSERT INTO cursorDiskKV VALUES ('bubbleId:3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3:b3f2a9c1-0000-4000-8000-000000000008', $json$
{
  "_v": 3,
  "type": 2,
  "bubbleId": "b3f2a9c1-0000-4000-8000-000000000008",
  "text":
    "Found it. The auth bug is a race around the JWT refresh token, not an expired session.\n"
    "\n"
    "1. The access token lives for 15 minutes. After lunch it is expired, so the first API call in the tab gets a 401 and `apiClient` calls `refreshAccessToken()`.\n"
    "2. At the same moment `useSession` sees `visibilitychange` and calls `refreshAccessToken()` as well. Both send the same refresh token.\n"
    "3. `rotateRefreshToken` in `src/auth/refresh.ts` reads the row, checks `usedAt IS NULL`, and only then writes `usedAt`. The first request wins. The second one finds the token used, takes it for a stolen token, and `revokeFamily()` logs the user out everywhere.\n"
    "\n"
    "So reuse detection works as designed; the client simply races with itself. The fix has two halves: the client shares one refresh in flight, and the server accepts the previous token for a grace period of 10 seconds and answers with the same new pair.",
  "modelInfo": {"modelName": "claude-sonnet-5"},
  "codeBlocks": [],
  "createdAt": "2026-06-09T12:47:31.000Z"
}
$$);

INSERT INTO cursorDiskKV VALUES ('bubbleId:3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3:b3f2a9c1-0000-4000-8000-000000000009', $json$
{
  "_v": 3,
  "type": 2,
  "bubbleId": "b3f2a9c1-0000-4000-8000-000000000009",
  "text": "",
  "toolFormerData": {
    "tool": 38,
    "name": "edit_file_v2",
    "params": @string {
      "relativeWorkspacePath": "src/auth/refresh.ts",
      "streamingContent": "    if (withinGrace(row, GRACE_MS) && sameClient(row, client)) return issuedPair(tx, row);\n"
    },
    "rawArgs": "",
    "result": @string {
      "diff": {
        "chunks": [
          {
            "diffString": "+    if (withinGrace(row, GRACE_MS) && sameClient(row, client)) return issuedPair(tx, row);",
            "oldStart": 4,
            "newStart": 4
          }
        ]
      },
      "resultForModel": "ok"
    },
    "status": "completed",
    "toolCallId": "call_04"
  },
  "createdAt": "2026-06-09T12:49:05.000Z"
}
$$);

INSERT INTO cursorDiskKV VALUES ('bubbleId:3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3:b3f2a9c1-0000-4000-8000-000000000010', $json$
{
  "_v": 3,
  "type": 2,
  "bubbleId": "b3f2a9c1-0000-4000-8000-000000000010",
  "text": "",
  "toolFormerData": {
    "tool": 15,
    "name": "run_terminal_command_v2",
    "params": @string {"command": "pnpm vitest run test/auth/refresh-race.test.ts", "requireUserApproval": true},
    "rawArgs": "",
    "result": @string {"output": " ✓ test/auth/refresh-race.test.ts (2 tests) 611ms\n", "exitCode": 0},
    "status": "completed",
    "toolCallId": "call_05",
    "userDecision": "accepted"
  },
  "createdAt": "2026-06-09T12:58:03.000Z"
}
$$);

INSERT INTO cursorDiskKV VALUES ('bubbleId:3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3:b3f2a9c1-0000-4000-8000-000000000011', $json$
{
  "_v": 3,
  "type": 2,
  "bubbleId": "b3f2a9c1-0000-4000-8000-000000000011",
  "text": "Both halves are in. `refreshAccessToken()` now keeps a single promise in flight, and `rotateRefreshToken` takes a row lock (`SELECT … FOR UPDATE`) and honours the grace period. The new test fires 20 refreshes in parallel: before the fix 19 of them revoked the session, now all get the same pair.",
  "modelInfo": {"modelName": "claude-sonnet-5"},
  "createdAt": "2026-06-09T12:58:30.000Z"
}
$$);

INSERT INTO cursorDiskKV VALUES ('bubbleId:3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3:b3f2a9c1-0000-4000-8000-000000000012', $json$
{
  "_v": 3,
  "type": 1,
  "bubbleId": "b3f2a9c1-0000-4000-8000-000000000012",
  "text": "Great. Is the grace period a security hole? Somebody with a stolen refresh token could use it within those 10 seconds.",
  "unifiedMode": 2,
  "createdAt": "2026-06-09T13:02:11.000Z"
}
$$);

INSERT INTO cursorDiskKV VALUES ('bubbleId:3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3:b3f2a9c1-0000-4000-8000-000000000013', $json$
{
  "_v": 3,
  "type": 2,
  "bubbleId": "b3f2a9c1-0000-4000-8000-000000000013",
  "text": "A small one, and a known trade-off: within the grace period a stolen token yields the *same* new pair, not a second family, so the thief and the user share one chain and the next rotation by either of them trips reuse detection. I bound the grace answer to the client's fingerprint (`user-agent` + `device_id` cookie) to narrow it further. RFC 9700 section 4.14 recommends rotation with reuse detection; a short leeway is what the larger identity providers do.",
  "modelInfo": {"modelName": "claude-sonnet-5"},
  "createdAt": "2026-06-09T13:02:48.000Z"
}
$$);

-- A reply that was regenerated: no header names it.

INSERT INTO cursorDiskKV VALUES ('bubbleId:3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3:b3f2a9c1-0000-4000-8000-000000000099', $json$
{
  "_v": 3,
  "type": 2,
  "bubbleId": "b3f2a9c1-0000-4000-8000-000000000099",
  "text": "My first guess is clock skew between the replicas, so that the JWT looks expired too early.",
  "createdAt": "2026-06-09T12:46:50.000Z"
}
$$);

-- Only here: no transcript, no chat.

INSERT INTO cursorDiskKV VALUES ('composerData:f60b8d24-57ca-4e93-b1f8-2c9e70a4d3b6', $json$
{
  "_v": 17,
  "composerId": "f60b8d24-57ca-4e93-b1f8-2c9e70a4d3b6",
  "name": "WebSocket reconnect backoff",
  "subtitle": "socket.ts",
  "createdAt": 1779351300000,
  "lastUpdatedAt": 1779351390000,
  "unifiedMode": "agent",
  "status": "completed",
  "modelConfig": {"modelName": "default", "maxMode": false},
  "workspaceIdentifier": {
    "id": "4b1d9e0c7f52a86301e5c9d7b2f4a681",
    "uri": {"fsPath": "/home/mira/lanternpost", "scheme": "file"}
  },
  "fullConversationHeadersOnly": [
    {"bubbleId": "bf60b8d2-0000-4000-8000-000000000001", "type": 1},
    {"bubbleId": "bf60b8d2-0000-4000-8000-000000000002", "type": 2},
    {"bubbleId": "bf60b8d2-0000-4000-8000-000000000003", "type": 2},
    {"bubbleId": "bf60b8d2-0000-4000-8000-000000000004", "type": 2},
    {"bubbleId": "bf60b8d2-0000-4000-8000-000000000005", "type": 2}
  ],
  "conversationMap": {},
  "conversationState": "~"
}
$$);

INSERT INTO cursorDiskKV VALUES ('bubbleId:f60b8d24-57ca-4e93-b1f8-2c9e70a4d3b6:bf60b8d2-0000-4000-8000-000000000001', $json$
{
  "_v": 3,
  "type": 1,
  "bubbleId": "bf60b8d2-0000-4000-8000-000000000001",
  "text": "The WebSocket reconnects in a tight loop when the server restarts: 4,000 connections per second. Add exponential backoff with jitter.",
  "unifiedMode": 2,
  "createdAt": "2026-05-21T08:15:00.000Z"
}
$$);

INSERT INTO cursorDiskKV VALUES ('bubbleId:f60b8d24-57ca-4e93-b1f8-2c9e70a4d3b6:bf60b8d2-0000-4000-8000-000000000002', $json$
{
  "_v": 3,
  "type": 2,
  "bubbleId": "bf60b8d2-0000-4000-8000-000000000002",
  "text": "",
  "toolFormerData": {
    "tool": 40,
    "name": "read_file_v2",
    "params": @string {"targetFile": "/home/mira/lanternpost/src/web/socket.ts"},
    "rawArgs": "",
    "result": @string {"contents": "socket.onclose = () => connect();\n", "totalLinesInFile": 1},
    "status": "completed",
    "toolCallId": "call_11"
  },
  "createdAt": "2026-05-21T08:15:09.000Z"
}
$$);

INSERT INTO cursorDiskKV VALUES ('bubbleId:f60b8d24-57ca-4e93-b1f8-2c9e70a4d3b6:bf60b8d2-0000-4000-8000-000000000003', $json$
{
  "_v": 3,
  "type": 2,
  "bubbleId": "bf60b8d2-0000-4000-8000-000000000003",
  "text": "`onclose` calls `connect()` at once. I use full jitter: wait a random time between 0 and min(30 s, 250 ms · 2^attempt), and reset the attempt only after the connection has lived for 10 s.",
  "modelInfo": {"modelName": "composer-2.5"},
  "codeBlocks": [
    {
      "content": "const delay = Math.random() * Math.min(30_000, 250 * 2 ** attempt);",
      "languageId": "typescript",
      "uri": {"path": "/home/mira/lanternpost/src/web/socket.ts"}
    }
  ],
  "createdAt": "2026-05-21T08:15:40.000Z"
}
$$);

INSERT INTO cursorDiskKV VALUES ('bubbleId:f60b8d24-57ca-4e93-b1f8-2c9e70a4d3b6:bf60b8d2-0000-4000-8000-000000000004', $json$
{
  "_v": 3,
  "type": 2,
  "bubbleId": "bf60b8d2-0000-4000-8000-000000000004",
  "text": "",
  "toolFormerData": {
    "tool": 15,
    "name": "run_terminal_cmd",
    "params": @string {"command": "docker compose restart api", "requireUserApproval": true},
    "rawArgs": "",
    "result": @string {"rejected": true},
    "status": "cancelled",
    "toolCallId": "call_12",
    "userDecision": "rejected"
  },
  "createdAt": "2026-05-21T08:16:02.000Z"
}
$$);

INSERT INTO cursorDiskKV VALUES ('bubbleId:f60b8d24-57ca-4e93-b1f8-2c9e70a4d3b6:bf60b8d2-0000-4000-8000-000000000005', $json$
{
  "_v": 3,
  "type": 2,
  "bubbleId": "bf60b8d2-0000-4000-8000-000000000005",
  "text": "You declined the restart, so here is the calculation instead: 1,000 clients spread over 30 s are 33 connections per second.",
  "modelInfo": {"modelName": "composer-2.5"},
  "createdAt": "2026-05-21T08:16:30.000Z"
}
$$);

-- An old conversation: its messages are inline, and nothing else of it is left.

INSERT INTO cursorDiskKV VALUES ('composerData:06a4e8c2-b95d-4f17-8c3a-e1d70f9b5264', $json$
{
  "composerId": "06a4e8c2-b95d-4f17-8c3a-e1d70f9b5264",
  "createdAt": 1763486400000,
  "text": "",
  "conversation": [
    {"bubbleId": "o1", "type": 1, "text": "How do I stub the clock in vitest?"},
    {
      "bubbleId": "o2",
      "type": 2,
      "text": "`vi.useFakeTimers()` and `vi.setSystemTime(new Date('2025-01-01'))`; undo both in `afterEach`."
    }
  ]
}
$$);

-- A deleted conversation, and one that was never begun.

INSERT INTO cursorDiskKV VALUES ('composerData:92d0f7b6-1c84-4a3e-9e5f-b07c6d28e1a4', NULL);

INSERT INTO cursorDiskKV VALUES ('composerData:c1e85a70-f36b-4d29-a742-8f0b9d6e35c1', $json$
{
  "_v": 17,
  "composerId": "c1e85a70-f36b-4d29-a742-8f0b9d6e35c1",
  "createdAt": 1781161200000,
  "text": "",
  "fullConversationHeadersOnly": [],
  "conversationMap": {}
}
$$);

-- Rows of kinds that are never read.

INSERT INTO cursorDiskKV VALUES ('checkpointId:3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3:0d5f', $json$
{
  "files": [{"uri": "/home/mira/lanternpost/.env", "contents": "CANARY-checkpoint-file"}],
  "nonExistentFiles": []
}
$$);

-- The list of conversations in the side bar.

INSERT INTO composerHeaders VALUES ('3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3', '4b1d9e0c7f52a86301e5c9d7b2f4a681', 1781009050000, 1781010168000, 0, 0, 1781010168000, NULL, $json$
{
  "type": "head",
  "composerId": "3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3",
  "name": "Auth bug: refresh token race",
  "createdAt": 1781009050000,
  "lastUpdatedAt": 1781010168000,
  "unifiedMode": "agent",
  "workspaceIdentifier": {"id": "4b1d9e0c7f52a86301e5c9d7b2f4a681", "uri": {"fsPath": "/home/mira/lanternpost"}}
}
$$);

INSERT INTO composerHeaders VALUES ('f60b8d24-57ca-4e93-b1f8-2c9e70a4d3b6', '4b1d9e0c7f52a86301e5c9d7b2f4a681', 1779351300000, 1779351390000, 0, 0, 1779351390000, NULL, $json$
{
  "type": "head",
  "composerId": "f60b8d24-57ca-4e93-b1f8-2c9e70a4d3b6",
  "name": "WebSocket reconnect backoff",
  "createdAt": 1779351300000,
  "lastUpdatedAt": 1779351390000,
  "unifiedMode": "agent",
  "workspaceIdentifier": {"id": "4b1d9e0c7f52a86301e5c9d7b2f4a681", "uri": {"fsPath": "/home/mira/lanternpost"}}
}
$$);

-- Prompts and plans.

INSERT INTO ItemTable VALUES ('aiService.prompts', $json$
[
  {"text": "explain the difference between CRDT and OT in two sentences", "commandType": 4},
  {"text": "rename all fixtures to kebab-case", "commandType": 4}
]
$$);

INSERT INTO ItemTable VALUES ('aiService.generations', $json$
[
  {
    "unixMs": 1780167852000,
    "generationUUID": "0c7d4b1e-58a2-4f63-9d0b-e6a1c2f37b90",
    "type": "composer",
    "textDescription": "rename all fixtures to kebab-case"
  }
]
$$);

INSERT INTO ItemTable VALUES ('composer.planRegistry', $json$
{
  "refresh_token_race_9b0c4e17": {
    "id": "refresh_token_race_9b0c4e17",
    "name": "Refresh token race",
    "uri": {"fsPath": "/home/mira/.cursor/plans/refresh_token_race_9b0c4e17.plan.md", "scheme": "file"},
    "createdBy": "3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3",
    "editedBy": ["3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3"],
    "referencedBy": [],
    "builtBy": {"3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3": {}},
    "createdAt": 1781009260000,
    "lastUpdatedAt": 1781009910000
  },
  "experiment_tracking_5d2e81aa": {
    "id": "experiment_tracking_5d2e81aa",
    "name": "Experiment tracking",
    "uri": {
      "fsPath": "/home/mira/.cursor/plans/experiment_tracking_5d2e81aa.plan.md",
      "scheme": "file"
    },
    "createdBy": "ee17b04c-6d92-4fa5-83c8-09e5d6a1f7b2",
    "editedBy": [],
    "referencedBy": [],
    "builtBy": {},
    "createdAt": 1781507010000,
    "lastUpdatedAt": 1781507010000
  }
}
$$);

-- Secrets: whoever finds the word CANARY has read what must not be read.

INSERT INTO ItemTable VALUES
  ('cursorAuth/accessToken', 'CANARY-access-token'),
  ('cursorAuth/refreshToken', 'CANARY-refresh-token'),
  ('cursorAuth/cachedEmail', 'CANARY@example.test'),
  ('secret://{"extensionId":"invented.example","key":"token"}', 'CANARY-secret-storage');

-- The last turn: Cursor has not checkpointed it yet.
@wal

INSERT INTO cursorDiskKV VALUES ('bubbleId:3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3:b3f2a9c1-0000-4000-8000-000000000014', $json$
{
  "_v": 3,
  "type": 1,
  "bubbleId": "b3f2a9c1-0000-4000-8000-000000000014",
  "text": "ok, ship it. write the commit message please",
  "unifiedMode": 2,
  "createdAt": "2026-06-09T13:06:02.000Z"
}
$$);

INSERT INTO cursorDiskKV VALUES ('bubbleId:3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3:b3f2a9c1-0000-4000-8000-000000000015', $json$
{
  "_v": 3,
  "type": 2,
  "bubbleId": "b3f2a9c1-0000-4000-8000-000000000015",
  "text":
    "```\n"
    "auth: share one refresh in flight, tolerate a late twin\n"
    "\n"
    "Two tabs, or the 401 retry and the visibility hook, could send the same\n"
    "refresh token twice. The second request looked like token theft and\n"
    "revoked the whole family: users were logged out at random.\n"
    "\n"
    "The client now shares one promise; the server locks the row and answers\n"
    "a twin within 10 s with the pair it already issued.\n"
    "```",
  "modelInfo": {"modelName": "claude-sonnet-5"},
  "createdAt": "2026-06-09T13:06:20.000Z"
}
$$);

INSERT INTO cursorDiskKV
SELECT key, json_set(value,
  '$.lastUpdatedAt', 1781010380000,
  '$.fullConversationHeadersOnly[#]', json('{"bubbleId":"b3f2a9c1-0000-4000-8000-000000000014","type":1}'),
  '$.fullConversationHeadersOnly[#]', json('{"bubbleId":"b3f2a9c1-0000-4000-8000-000000000015","type":2}'))
FROM cursorDiskKV WHERE key = 'composerData:3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3';
