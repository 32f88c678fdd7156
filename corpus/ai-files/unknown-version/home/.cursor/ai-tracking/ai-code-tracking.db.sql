-- A version to come: more tables, more columns, another order.

CREATE TABLE schema_version (version INTEGER);
INSERT INTO schema_version VALUES (99);
CREATE TABLE conversation_summaries (mood TEXT, updatedAt INTEGER, title TEXT, conversationId TEXT, embedding BLOB);
INSERT INTO conversation_summaries VALUES ('curious', 1772438700000, 'Gears', 'c1', zeroblob(100));
CREATE TABLE ai_code_hashes (conversation TEXT, path TEXT);
INSERT INTO ai_code_hashes VALUES ('c1', '/home/ada/orrery/gear.c');
