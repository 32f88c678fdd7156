-- The database of one workspace: prompts typed there, and a chat of the time before composers.

CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO ItemTable VALUES ('aiService.prompts', $json$
[
  {
    "text": "We have an auth bug in production: users get logged out at random, mostly when they come back to a tab after lunch. The API log shows pairs of POST /auth/refresh from the same client, the first answers 200 and the second 401 refresh_token_reused, and right after that the whole session is revoked. Can you find the auth bug and fix it?",
    "commandType": 4
  },
  {"text": "why is the socket mock never closed in the tests?", "commandType": 4},
  {
    "text": "Great. Is the grace period a security hole? Somebody with a stolen refresh token could use it within those 10 seconds.",
    "commandType": 4
  }
]
$$);

INSERT INTO ItemTable VALUES ('aiService.generations', $json$
[
  {
    "unixMs": 1781009050000,
    "generationUUID": "5e9a0d72-c481-4b36-a7f5-1d8e3c60b294",
    "type": "composer",
    "textDescription": "We have an auth bug in production: users get logged out at random, mostly when they come back to a tab after lunch. The API log shows pairs of POST /auth/refresh from the same client, the first answers 200 and the second 401 refresh_token_reused, and right after that the whole session is revoked. Can you find the auth bug and fix it?"
  },
  {
    "unixMs": 1779294705000,
    "generationUUID": "e37f81b0-6a2d-4c95-80ef-94b5d1c7a263",
    "type": "chat",
    "textDescription": "why is the socket mock never closed in the tests?"
  }
]
$$);

INSERT INTO ItemTable VALUES ('composer.composerData', $json$
{
  "allComposers": [
    {
      "type": "head",
      "composerId": "3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3",
      "name": "Auth bug: refresh token race",
      "unifiedMode": "agent",
      "createdAt": 1781009050000,
      "lastUpdatedAt": 1781010168000,
      "createdOnBranch": "fix/refresh-race"
    }
  ],
  "selectedComposerIds": ["3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3"],
  "lastFocusedComposerIds": ["3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3"],
  "hasMigratedComposerData": true
}
$$);

INSERT INTO ItemTable VALUES ('workbench.panel.aichat.view.aichat.chatdata', $json$
{
  "tabs": [
    {
      "tabId": "1f6c0a94-d2b7-4e58-9a31-70e5c8bd24f6",
      "chatTitle": "Cookie flags",
      "tabState": "chat",
      "lastSendTime": 1759828320000,
      "bubbles": [
        {
          "type": "user",
          "id": "u1",
          "messageType": 2,
          "text": "Which flags should a session cookie have?"
        },
        {
          "type": "ai",
          "id": "a1",
          "modelType": "gpt-4",
          "rawText": "`HttpOnly`, `Secure` and `SameSite=Lax`; use the `__Host-` prefix so that no subdomain can set it."
        }
      ]
    }
  ],
  "selectedTabId": "1f6c0a94-d2b7-4e58-9a31-70e5c8bd24f6"
}
$$);
