-- Nothing that is known.
CREATE TABLE sessions (id TEXT, body BLOB);
