-- Returns the tables with rows of players, in an order in which a moved player's rows can be
-- inserted: a row comes after the rows that it refers to. moveTables.test.ts compares the list with
-- the catalog.
CREATE FUNCTION moved_tables() RETURNS text[]
LANGUAGE sql IMMUTABLE
AS $$
  SELECT '{players,accounts,fair_seeds,fair_client_seeds,sessions,grants,
    rounds,round_events,transfers,wallet_transactions,
    archived_rounds,archived_round_events,archived_transfers,archived_wallet_transactions,
    round_traces}'::text[]
$$;
