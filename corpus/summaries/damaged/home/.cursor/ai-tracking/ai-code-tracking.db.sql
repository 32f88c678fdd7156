-- Values of other types than they should be.

CREATE TABLE ai_code_hashes (hash, source, fileName, conversationId, timestamp, model, createdAt);
CREATE TABLE conversation_summaries (conversationId, title, tldr, overview, summaryBullets, model, mode, updatedAt);
INSERT INTO conversation_summaries VALUES
  (NULL, 'of no conversation', NULL, NULL, NULL, NULL, NULL, 1772438700000),
  (42, 7, x'6f6e65', NULL, '{"not": "a list"}', 1.5, NULL, 'yesterday'),
  ('42', 'a second row', NULL, NULL, NULL, NULL, NULL, 1772438700000);
INSERT INTO ai_code_hashes VALUES ('h1', 'composer', NULL, 42, 'soon', x'ff', -1);
