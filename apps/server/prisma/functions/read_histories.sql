-- Lists the rounds of the session's account and game, newest first, at most _most of those with a
-- lower id than _before. It leaves out a bet whose debit has no result yet. It does not extend the
-- session, as read_balances does not.
--
-- outcome            | when                   | what becomes of it
-- -------------------|------------------------|-------------------
-- (session_refusals) | the session is refused | each has its code
-- read               | else                   | history returns it
--
-- balance_before_micros: with a seamless wallet it is the balance in the response to the debit,
-- plus the debit. NULL means that it is not known.
CREATE FUNCTION read_histories(_session_row_id bigint[], _before bigint[], _most bigint[])
RETURNS TABLE (ordinal bigint, outcome text, rounds jsonb)
LANGUAGE plpgsql STABLE
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT c.ordinal, coalesce(s.refusal, 'read'), CASE WHEN s.refusal IS NULL THEN (
    SELECT coalesce(jsonb_agg(jsonb_build_object(
      'id', r.id, 'version', v.version, 'mode', r.mode, 'amount_micros', r.amount_micros,
      'cost_multiplier', r.cost_multiplier::text, 'payout_micros', r.payout_micros,
      'payout_multiplier', r.payout_multiplier, 'book_id', r.book_id,
      'is_void', r.wallet_state IS NOT DISTINCT FROM 'void',
      'grant_id', CASE WHEN r.grant_id IS NOT NULL
        THEN (SELECT g.external_id FROM grants g WHERE g.id = r.grant_id) END,
      'fairness', CASE WHEN r.fair_seed_id IS NOT NULL THEN (
        SELECT jsonb_build_object('serverSeedHash', encode(f.server_seed_sha256, 'hex'), 'nonce', r.fair_nonce)
        FROM fair_seeds f
        WHERE f.id = r.fair_seed_id
      ) END,
      'opened_at', r.opened_at, 'ended_at', r.ended_at,
      'balance_before_micros', coalesce(r.balance_before_micros, (
        SELECT w.reported_balance_micros + w.amount_micros
        FROM all_wallet_transactions w
        WHERE w.round_id = r.id AND w.kind = 'debit'
          AND w.reported_balance_micros <= 9007199254740991 - w.amount_micros
        LIMIT 1
      ))
    ) ORDER BY r.id DESC), '[]')
    FROM (
      -- decision 015: it compares rows and orders by three columns, so that only the index of the
      -- three fits: the index ends the read after _most rounds. With two `=` the planner may take
      -- the primary key, and read the rounds of every player.
      SELECT r.*
      FROM all_rounds r
      WHERE (r.account_id, r.game_id, r.id) < (s.account_id, s.game_id, c.before)
        AND (r.account_id, r.game_id, r.id) > (s.account_id, s.game_id, 0)
        AND r.wallet_state IS DISTINCT FROM 'debit_pending'
      ORDER BY r.account_id DESC, r.game_id DESC, r.id DESC LIMIT c.most
    ) r
    CROSS JOIN LATERAL (SELECT version FROM game_versions WHERE id = r.game_version_id LIMIT 1) v
  ) END
  FROM unnest(_session_row_id, _before, _most) WITH ORDINALITY AS c (session_id, before, most, ordinal)
  JOIN session_refusals s ON s.session_id = c.session_id;
END
$$;

SELECT pin_plans('read_histories');
