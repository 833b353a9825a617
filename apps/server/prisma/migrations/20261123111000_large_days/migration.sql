-- Bets and wins of a player in a day (UTC) that reach these amounts are significant events. NULL:
-- none is.
ALTER TABLE operator_limits
  ADD COLUMN large_daily_wager_micros bigint,
  ADD COLUMN large_daily_win_micros bigint,
  ADD CONSTRAINT operator_limits_large_days_positive CHECK (large_daily_wager_micros > 0 AND large_daily_win_micros > 0);

-- By this record_large_day finds what it has recorded.
CREATE INDEX significant_events_large_days ON significant_events (kind, subject)
WHERE kind IN ('large_daily_wager', 'large_daily_win');
