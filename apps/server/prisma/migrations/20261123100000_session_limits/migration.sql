-- The limits of a session, settled when it is created. A play reads the row of its session anyway, so it
-- reads no JSON. max_stake_micros: the lowest of the jurisdiction and the launch. verified_max_stake_micros:
-- what the operator said last. complete_rounds_after_hours, here and of operators: NULL for never.
ALTER TABLE sessions
  ADD COLUMN max_stake_micros bigint,
  ADD COLUMN verified_max_stake_micros bigint,
  ADD COLUMN idle_timeout_ms integer,
  ADD COLUMN single_instance boolean NOT NULL DEFAULT false,
  ADD COLUMN complete_rounds_after_hours integer;
-- All sessions of a player: when the operator ends them, and when a session ends the others.
CREATE INDEX sessions_player_id_idx ON sessions (player_id);

ALTER TABLE operators
  ADD COLUMN complete_rounds_after_hours integer
  CONSTRAINT operators_completion_in_range CHECK (complete_rounds_after_hours BETWEEN 1 AND 8760);

-- What each mode returns: {"BASE": {"rtp": 0.965, "feature": false}}. Empty until a node serves the version.
ALTER TABLE game_versions ADD COLUMN mode_returns jsonb NOT NULL DEFAULT '{}';

-- When the server completed the round, because its player had left it. The view all_rounds shows the column.
DROP VIEW IF EXISTS all_rounds;
ALTER TABLE rounds ADD COLUMN auto_completed_at timestamptz;
ALTER TABLE archived_rounds ADD COLUMN auto_completed_at timestamptz;
