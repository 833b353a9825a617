-- Completes rounds that their players have left: those of interrupted_rounds that are due, at most
-- _most, and one of each account. House wallet: it credits the payout. Seamless wallet: it stores
-- the credit, which recovery sends; the round stays open until the operator accepts it. It leaves
-- out a payout that the balance cannot hold.
-- decision 023: it leaves an account that another command holds for the next call. Nobody waits,
-- and of two calls each completes other rounds.
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
    ARRAY(SELECT account_ctid FROM due),
    ARRAY(SELECT round_id FROM due),
    ARRAY(SELECT house_account_id FROM due),
    ARRAY(SELECT CASE WHEN credit_id IS NULL THEN owed_micros ELSE 0 END FROM due),
    ARRAY(SELECT CASE WHEN credit_id IS NULL AND grant_id IS NULL THEN owed_micros ELSE 0 END FROM due),
    ARRAY(SELECT credit_id FROM due),
    ARRAY(SELECT _now FROM due),
    ARRAY(SELECT NULL::bigint FROM due),
    _now,
    _now);
END
$$;

SELECT pin_plans('complete_rounds');
