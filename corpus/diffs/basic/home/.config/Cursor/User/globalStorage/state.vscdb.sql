-- The lines that the agent wrote; both lists are mostly the same.
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);

INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c1:d1', $json$
{
  "newModelDiffWrtV0": [
    {"original": {"startLineNumber": 3, "endLineNumberExclusive": 4}, "modified": ["free(yarn);", "", "return;"]},
    {"original": {"startLineNumber": 9, "endLineNumberExclusive": 9}, "modified": ["}"]}
  ],
  "originalModelDiffWrtV0": [
    {"original": {"startLineNumber": 3, "endLineNumberExclusive": 4}, "modified": ["free(yarn);", "", "return;"]},
    {"original": {"startLineNumber": 7, "endLineNumberExclusive": 8}, "modified": ["free(reed);"]},
    {"original": {"startLineNumber": 8, "endLineNumberExclusive": 9}, "modified": []}
  ]
}
$$);
INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c1:d2', CAST($json$ {"newModelDiffWrtV0": [{"modified": ["in a blob"]}]} $$ AS BLOB));
INSERT INTO cursorDiskKV VALUES ('codeBlockDiff:c2:d1', $json$ {"originalModelDiffWrtV0": [{"modified": ["of another conversation"]}], "newModelDiffWrtV0": []} $$);
INSERT INTO cursorDiskKV VALUES ('codeBlockPartialInlineDiffFates:c1:d1', 'CANARY'), ('checkpointId:c1:x', 'CANARY');
INSERT INTO ItemTable VALUES ('cursorAuth/accessToken', 'CANARY');
