-- Completes rounds that their players have left: those of interrupted_rounds that are due, at most
-- _most, and one of each account. House wallet: it credits the payout. Seamless wallet: it stores
-- the credit, which recovery sends; the round stays open until the operator accepts it. It leaves
-- out a payout that the balance cannot hold.
-- decision 023: it leaves an account that another command holds for the next call. Nobody waits,
-- and two calls at once complete different rounds.
CREATE FUNCTION complete_rounds(_most integer) RETURNS TABLE (round_id bigint)
LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
DECLARE
  _accounts bigint[];
  _now timestamptz;
BEGIN
  -- The next statement sees what the transactions before this lock have committed.
  _accounts := ARRAY(
    SELECT a.id
    FROM accounts a
    WHERE a.id = ANY (ARRAY(
      SELECT i.account_id
      FROM interrupted_rounds i
      WHERE i.due_at <= now() AND (i.balance_micros > 9007199254740991 - i.owed_micros) IS NOT TRUE
      LIMIT _most
    ))
    ORDER BY a.id FOR NO KEY UPDATE SKIP LOCKED
  );
  _now := clock_timestamp();
  RETURN QUERY
  WITH due AS MATERIALIZED (
    SELECT DISTINCT ON (i.account_id) i.*,
      CASE WHEN i.wallet_state IS NOT NULL THEN wallet_transaction_id() END AS credit_id
    FROM interrupted_rounds i
    WHERE i.account_id = ANY (_accounts) AND i.due_at <= _now
      AND (i.balance_micros > 9007199254740991 - i.owed_micros) IS NOT TRUE
    ORDER BY i.account_id, i.round_id
  )
  SELECT d.round_id
  FROM due d
  CROSS JOIN finish_rounds(
    _account_ctid => ARRAY(SELECT account_ctid FROM due),
    _round_id => ARRAY(SELECT round_id FROM due),
    _house_account_id => ARRAY(SELECT house_account_id FROM due),
    _payout => ARRAY(SELECT CASE WHEN credit_id IS NULL THEN owed_micros ELSE 0 END FROM due),
    _won => ARRAY(SELECT CASE WHEN credit_id IS NULL AND grant_id IS NULL THEN owed_micros ELSE 0 END FROM due),
    _credit_id => ARRAY(SELECT credit_id FROM due),
    _due_at => ARRAY(SELECT _now FROM due),
    _session_id => ARRAY(SELECT NULL::bigint FROM due),
    _now => _now,
    _auto_completed_at => _now);
END
$$;

SELECT pin_plans('complete_rounds');
