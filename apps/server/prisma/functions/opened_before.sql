-- Returns what the first run of a batch has committed, when open_rounds gets the batch again. A
-- round that recovery has made void meanwhile is wallet_uncertain. The batch's round is among the
-- newest ones of its account and game.
CREATE FUNCTION opened_before(_session_row_id bigint[], _batch_id bigint)
RETURNS TABLE (ordinal bigint, outcome text, round_id bigint, balance_micros bigint, debit_id uuid)
LANGUAGE sql STABLE
AS $$
  SELECT c.ordinal, CASE WHEN before.wallet_state = 'void' THEN 'wallet_uncertain' ELSE 'opened_before' END,
    before.id, g.balance_micros,
    (SELECT w.transaction_id FROM wallet_transactions w WHERE w.round_id = before.id AND w.kind = 'debit' AND w.settled_at IS NULL)
  FROM unnest(_session_row_id) WITH ORDINALITY AS c (session_id, ordinal)
  JOIN session_refusals g ON g.session_id = c.session_id
  CROSS JOIN LATERAL (
    SELECT * FROM (SELECT * FROM newest_rounds(g.account_id, g.game_id) LIMIT 1000) newest WHERE newest.batch_id = _batch_id
  ) before
$$;
