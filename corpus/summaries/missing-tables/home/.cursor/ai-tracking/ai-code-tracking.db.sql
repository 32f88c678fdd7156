CREATE TABLE tracking_state (key TEXT, value TEXT);
