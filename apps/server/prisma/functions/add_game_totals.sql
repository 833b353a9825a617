-- Adds to the totals of games: completed rounds, or those of a player from another cell.
CREATE FUNCTION add_game_totals(_totals game_totals[]) RETURNS void
LANGUAGE sql VOLATILE
AS $$
  INSERT INTO game_totals AS t
  SELECT *
  FROM unnest(_totals)
  ON CONFLICT (game_version_id, mode, currency, operator_id, day) DO UPDATE
  SET rounds = t.rounds + excluded.rounds,
    bets = t.bets + excluded.bets,
    payouts = t.payouts + excluded.payouts,
    free_rounds = t.free_rounds + excluded.free_rounds,
    free_bets = t.free_bets + excluded.free_bets,
    free_payouts = t.free_payouts + excluded.free_payouts,
    bet_squares = t.bet_squares + excluded.bet_squares,
    max_bet = greatest(t.max_bet, excluded.max_bet),
    void_rounds = t.void_rounds + excluded.void_rounds,
    void_bets = t.void_bets + excluded.void_bets
$$;
