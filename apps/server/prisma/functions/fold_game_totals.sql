-- Moves completed rounds into the totals of games, and returns how many. One statement does it: a
-- round is in one place for every reader, also after a crash. A second call waits for the first
-- one, and then finds only what came later.
CREATE FUNCTION fold_game_totals() RETURNS bigint
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _folded bigint;
BEGIN
  LOCK TABLE game_totals IN SHARE ROW EXCLUSIVE MODE;
  -- Both parts see the rows of one snapshot.
  WITH gone AS (
    DELETE FROM completed_rounds RETURNING 1
  ), kept AS (
    INSERT INTO game_totals AS t SELECT * FROM unfolded_game_totals
    ON CONFLICT (game_version_id, mode, currency, operator_id, day) DO UPDATE SET
      rounds = t.rounds + excluded.rounds, bets = t.bets + excluded.bets, payouts = t.payouts + excluded.payouts,
      free_rounds = t.free_rounds + excluded.free_rounds, free_bets = t.free_bets + excluded.free_bets,
      free_payouts = t.free_payouts + excluded.free_payouts,
      bet_squares = t.bet_squares + excluded.bet_squares, max_bet = greatest(t.max_bet, excluded.max_bet),
      void_rounds = t.void_rounds + excluded.void_rounds, void_bets = t.void_bets + excluded.void_bets
  )
  SELECT count(*) INTO _folded FROM gone;
  RETURN _folded;
END
$$;
