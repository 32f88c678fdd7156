-- All forms of bullets, and summaries with parts missing.

CREATE TABLE conversation_summaries (conversationId TEXT PRIMARY KEY, title TEXT, tldr TEXT, overview TEXT,
  summaryBullets TEXT, model TEXT, mode TEXT, updatedAt INTEGER NOT NULL);
INSERT INTO conversation_summaries VALUES
  ('array', 'A', NULL, NULL, '["one", " two ", "", {"text": "three"}, 4]', NULL, NULL, 1772438700000),
  ('dashes', 'B', NULL, NULL, '- one
- two
* three', NULL, NULL, 1772438700000),
  ('plain', 'C', NULL, NULL, 'just a sentence', NULL, NULL, 1772438700000),
  ('null', 'D', 'tldr', '', NULL, 'default', '', 0),
  ('cut', 'E', NULL, NULL, '["one", "tw', NULL, NULL, 1772438700),
  ('nothing', '', NULL, NULL, '[]', NULL, NULL, 1772438700000);
