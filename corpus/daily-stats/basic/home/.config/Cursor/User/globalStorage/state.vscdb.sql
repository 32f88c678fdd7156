CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES
  ('aiCodeTracking.dailyStats.v1.5.2026-03-01', '{}'),
  ('aiCodeTracking.dailyStats.v1.5.2026-03-02', '{}'),
  ('aiCodeTracking.dailyStat', '{}'),
  ('aiCodeTracking.dailyStats', '{}');
