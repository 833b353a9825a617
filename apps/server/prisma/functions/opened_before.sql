-- Returns what the first run of a batch has committed, when open_rounds gets the batch again
-- (decision 018). A command without a round of the batch gets no row.
--
-- outcome          | when                                       | what becomes of it
-- -----------------|--------------------------------------------|-----------------------
-- wallet_uncertain | recovery has made the round void meanwhile | ERR_GEN
-- opened_before    | else                                       | open_rounds returns it
CREATE FUNCTION opened_before(_session_row_id bigint[], _batch_id bigint)
RETURNS TABLE (ordinal bigint, outcome text, round_id bigint, balance_micros bigint, debit_id uuid)
LANGUAGE sql STABLE
AS $$
  SELECT c.ordinal,
    CASE WHEN before.wallet_state = 'void' THEN 'wallet_uncertain' ELSE 'opened_before' END,
    before.id, s.balance_micros,
    (
      SELECT w.transaction_id
      FROM wallet_transactions w
      WHERE w.round_id = before.id AND w.kind = 'debit' AND w.settled_at IS NULL
    )
  FROM unnest(_session_row_id) WITH ORDINALITY AS c (session_id, ordinal)
  JOIN session_refusals s ON s.session_id = c.session_id
  -- The round of the batch is among the newest ones of its account and game.
  CROSS JOIN LATERAL (
    SELECT *
    FROM (SELECT * FROM newest_rounds(s.account_id, s.game_id) LIMIT 1000) newest
    WHERE newest.batch_id = _batch_id
  ) before
$$;
