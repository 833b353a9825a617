-- Subtracts the rounds of a player, who moves to another cell, from the totals of games. The rounds
-- have left the tables already, and all totals are folded. When the highest bet was the player's,
-- it is looked up again: first as a round of the same day with the same bet, which a block range
-- index finds; the others in one scan of all rounds.
CREATE FUNCTION subtract_game_totals(_totals game_totals[]) RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  UPDATE game_totals t
  SET rounds = t.rounds - p.rounds,
    bets = t.bets - p.bets,
    payouts = t.payouts - p.payouts,
    free_rounds = t.free_rounds - p.free_rounds,
    free_bets = t.free_bets - p.free_bets,
    free_payouts = t.free_payouts - p.free_payouts,
    bet_squares = t.bet_squares - p.bet_squares,
    void_rounds = t.void_rounds - p.void_rounds,
    void_bets = t.void_bets - p.void_bets
  FROM unnest(_totals) p
  WHERE (t.game_version_id, t.mode, t.currency, t.operator_id, t.day)
    = (p.game_version_id, p.mode, p.currency, p.operator_id, p.day);
  DELETE FROM game_totals t
  USING unnest(_totals) p
  WHERE (t.game_version_id, t.mode, t.currency, t.operator_id, t.day)
    = (p.game_version_id, p.mode, p.currency, p.operator_id, p.day)
    AND t.rounds = 0 AND t.void_rounds = 0;

  WITH unsure AS MATERIALIZED (
    SELECT t.*
    FROM game_totals t
    JOIN unnest(_totals) p
      ON (t.game_version_id, t.mode, t.currency, t.operator_id, t.day)
      = (p.game_version_id, p.mode, p.currency, p.operator_id, p.day)
    WHERE p.max_bet = t.max_bet AND t.max_bet > 0
      AND NOT EXISTS (
        SELECT FROM rounds r
        JOIN accounts a ON a.id = r.account_id
        WHERE r.opened_at >= t.day::timestamp AT TIME ZONE 'UTC'
          AND r.opened_at < (t.day + 1)::timestamp AT TIME ZONE 'UTC'
          AND (r.ended_at AT TIME ZONE 'UTC')::date = t.day AND r.debit_micros = t.max_bet
          AND (r.game_version_id, r.mode, a.currency, a.operator_id)
            = (t.game_version_id, t.mode, t.currency, t.operator_id)
          AND r.wallet_state IS DISTINCT FROM 'void'
      )
  ), found AS MATERIALIZED (
    SELECT u.game_version_id, u.mode, u.currency, u.operator_id, u.day, max(r.debit_micros) AS max_bet
    FROM unsure u
    JOIN all_rounds r
      ON (r.game_version_id, r.mode, (r.ended_at AT TIME ZONE 'UTC')::date) = (u.game_version_id, u.mode, u.day)
    JOIN accounts a ON (a.id, a.currency, a.operator_id) = (r.account_id, u.currency, u.operator_id)
    WHERE r.wallet_state IS DISTINCT FROM 'void'
    GROUP BY 1, 2, 3, 4, 5
  )
  UPDATE game_totals t
  SET max_bet = coalesce(f.max_bet, 0)
  FROM unsure u
  LEFT JOIN found f USING (game_version_id, mode, currency, operator_id, day)
  WHERE (t.game_version_id, t.mode, t.currency, t.operator_id, t.day)
    = (u.game_version_id, u.mode, u.currency, u.operator_id, u.day);
END
$$;
