-- Bets and wins from these amounts on are significant events. NULL: none is.
ALTER TABLE operator_limits
  ADD COLUMN large_bet_micros bigint,
  ADD COLUMN large_win_micros bigint,
  ADD CONSTRAINT operator_limits_large_amounts_positive CHECK (large_bet_micros > 0 AND large_win_micros > 0);
