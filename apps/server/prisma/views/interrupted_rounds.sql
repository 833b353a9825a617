-- Shows open rounds that wait for their players, with the time at which the server completes them
-- (decision 023): the number of hours after the play or its last event that the jurisdiction of the
-- session or the operator says; the shorter one counts. due_at is NULL where neither says so, and
-- where the operator's wallet forbids it (completes_rounds). The operator's jurisdiction stands in
-- for a session that was deleted. The view leaves out a round whose debit or credit has no result
-- yet.
CREATE VIEW interrupted_rounds AS
SELECT
  r.id AS round_id,
  r.account_id,
  r.player_id,
  r.game_id,
  r.wallet_state,
  r.debit_micros,
  r.payout_micros,
  coalesce(r.credit_micros, r.payout_micros) AS owed_micros,
  r.grant_id,
  a.ctid AS account_ctid,
  a.house_account_id,
  a.operator_id,
  a.currency,
  a.balance_micros,
  last.active_at,
  CASE WHEN o.completes_rounds THEN last.active_at + least(
    o.complete_rounds_after_hours,
    CASE
      WHEN s.id IS NOT NULL THEN s.complete_rounds_after_hours
      ELSE nullif((o.jurisdiction ->> 'completeRoundsAfterHours')::integer, 0)
    END
  ) * interval '1 hour' END AS due_at
FROM rounds r
CROSS JOIN LATERAL (SELECT ctid, * FROM accounts WHERE id = r.account_id LIMIT 1) a
CROSS JOIN LATERAL (SELECT * FROM operators WHERE id = a.operator_id LIMIT 1) o
LEFT JOIN LATERAL (SELECT id, complete_rounds_after_hours FROM sessions WHERE id = r.session_id LIMIT 1) s ON true
CROSS JOIN LATERAL (
  SELECT greatest(r.opened_at, (
    SELECT e.created_at
    FROM round_events e
    WHERE e.round_id = r.id
    ORDER BY e.seq DESC LIMIT 1
  )) AS active_at
) last
-- No period is shorter than an hour.
WHERE r.ended_at IS NULL AND r.opened_at <= now() - interval '1 hour'
  AND (r.wallet_state IS NULL OR r.wallet_state = 'debited');
