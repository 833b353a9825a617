-- Completes the open round of the session's account and game. House wallet: it credits the payout.
-- Seamless wallet: it stores the credit to send next, or finds the stored one, and returns all that
-- the request needs; the round stays open until the operator accepts the credit.
--
-- outcome            | when                                              | what becomes of it
-- -------------------|---------------------------------------------------|--------------------
-- (session_refusals) | the session is refused                            | each has its code
-- round_settling     | the debit of the round has no result yet          | ERR_GEN
-- owed               | seamless wallet: credit_id is to be sent          | the wallet sends it
-- balance_overflow   | the balance cannot hold the payout; it stays open | ERR_GEN
-- completed          | house wallet: the payout is credited              | end-round succeeds
-- nothing_open       | none is open; one that is not void was completed  | end-round succeeds
-- never_played       | the account has no round, or only void ones       | ERR_VAL
--
-- grant_id is the operator's id of the grant of a free round.
CREATE FUNCTION end_rounds(_player_id bigint[], _session_row_id bigint[])
RETURNS TABLE (
  ordinal bigint, outcome text, round_id bigint, balance_micros bigint, payout_micros bigint,
  credit_id uuid, debit_id uuid, grant_id text
)
LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
DECLARE
  _now timestamptz;
BEGIN
  _now := lock_players(_player_id);
  RETURN QUERY
  WITH judged AS MATERIALIZED (
    SELECT c.ordinal, c.session_id, s.account_ctid, s.balance_micros, s.house_account_id,
      r.id AS round_id, checked.outcome,
      CASE WHEN checked.outcome = 'completed' THEN r.owed ELSE 0 END AS paid, r.owed, r.grant_id,
      CASE
        WHEN checked.outcome = 'owed' AND r.wallet_state = 'debited' THEN wallet_transaction_id()
      END AS new_credit_id,
      _now + attempt_lease(s.wallet_timeout_ms) AS due_at
    FROM unnest(_session_row_id) WITH ORDINALITY AS c (session_id, ordinal)
    JOIN session_refusals s ON s.session_id = c.session_id
    -- The open round.
    LEFT JOIN LATERAL (
      SELECT r.id, coalesce(r.credit_micros, r.payout_micros) AS owed, r.wallet_state, r.grant_id
      FROM rounds r
      WHERE r.account_id = s.account_id AND r.game_id = s.game_id AND r.ended_at IS NULL
      LIMIT 1
    ) r ON true
    CROSS JOIN LATERAL (
      SELECT CASE
        WHEN s.refusal IS NOT NULL THEN s.refusal
        -- Seamless wallet: only its rounds have a state.
        WHEN r.wallet_state = 'debit_pending' THEN 'round_settling'
        WHEN r.wallet_state IS NOT NULL THEN 'owed'
        -- House wallet.
        WHEN r.id IS NOT NULL AND s.balance_micros > 9007199254740991 - r.owed THEN 'balance_overflow'
        WHEN r.id IS NOT NULL THEN 'completed'
        -- No round is open.
        WHEN last_opened_at(s.account_id, s.game_id) IS NOT NULL THEN 'nothing_open'
        ELSE 'never_played'
      END AS outcome
      OFFSET 0
    ) checked
  ), active AS MATERIALIZED (
    SELECT j.*,
      CASE WHEN j.outcome = 'completed' OR j.new_credit_id IS NOT NULL THEN j.round_id END AS finished_id
    FROM judged j
    WHERE j.outcome IN ('completed', 'owed', 'nothing_open')
  )
  SELECT j.ordinal, j.outcome, j.round_id, j.balance_micros + j.paid, j.owed,
    CASE WHEN j.outcome = 'owed' THEN coalesce(
      j.new_credit_id,
      (SELECT w.transaction_id FROM wallet_transactions w WHERE w.round_id = j.round_id AND w.kind = 'credit')
    ) END,
    CASE WHEN j.outcome = 'owed' THEN
      (SELECT w.transaction_id FROM wallet_transactions w WHERE w.round_id = j.round_id AND w.kind = 'debit')
    END,
    CASE WHEN j.grant_id IS NOT NULL THEN (SELECT g.external_id FROM grants g WHERE g.id = j.grant_id) END
  FROM judged j
  CROSS JOIN finish_rounds(
    _account_ctid => ARRAY(SELECT account_ctid FROM active),
    _round_id => ARRAY(SELECT finished_id FROM active),
    _house_account_id => ARRAY(SELECT house_account_id FROM active),
    _payout => ARRAY(SELECT paid FROM active),
    _won => ARRAY(SELECT CASE WHEN grant_id IS NULL THEN paid ELSE 0 END FROM active),
    _credit_id => ARRAY(SELECT new_credit_id FROM active),
    _due_at => ARRAY(SELECT due_at FROM active),
    _session_id => ARRAY(SELECT session_id FROM active),
    _now => _now);
END
$$;

SELECT pin_plans('end_rounds');
