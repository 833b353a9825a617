-- Computes the totals of games anew: from all rounds of one snapshot, less those that are not
-- folded in it. Plays go on meanwhile.
CREATE FUNCTION recount_game_totals() RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  LOCK TABLE game_totals IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM game_totals;
  INSERT INTO game_totals
  SELECT game_version_id, mode, currency, operator_id, day,
    sum(rounds), sum(bets), sum(payouts), sum(free_rounds), sum(free_bets), sum(free_payouts),
    sum(bet_squares), max(max_bet), sum(void_rounds), sum(void_bets)
  FROM (
    SELECT * FROM completed_round_totals
    UNION ALL
    SELECT game_version_id, mode, currency, operator_id, day,
      -rounds, -bets, -payouts, -free_rounds, -free_bets, -free_payouts,
      -bet_squares, max_bet, -void_rounds, -void_bets
    FROM unfolded_game_totals
  ) t
  GROUP BY game_version_id, mode, currency, operator_id, day
  HAVING sum(rounds) <> 0 OR sum(void_rounds) <> 0;
END
$$;
