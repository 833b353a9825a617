-- Gives the account of a session its first server seed and the one after it, each with its SHA-256.
-- Changes nothing when the account has seeds: of several callers the first one wins.
CREATE FUNCTION start_fair_seeds(
  _player_id bigint, _session_row_id bigint, _sha256 bytea[], _sealed text[]
) RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _account_id bigint;
  _last_seq integer;
BEGIN
  PERFORM lock_players(ARRAY[_player_id]);
  SELECT a.id INTO _account_id
  FROM sessions s
  JOIN accounts a ON a.id = s.account_id
  WHERE s.id = _session_row_id AND a.fair_seed_id IS NULL;
  IF NOT FOUND THEN RETURN; END IF;
  -- There are earlier ones when end_seed_periods has ended them.
  SELECT coalesce(max(seq), 0) INTO _last_seq
  FROM fair_seeds
  WHERE account_id = _account_id;
  INSERT INTO fair_seeds (account_id, seq, server_seed_sha256, sealed_server_seed)
  SELECT _account_id, _last_seq + n, _sha256[n], _sealed[n]
  FROM generate_series(1, 2) n;
  UPDATE accounts
  SET fair_nonce = 0,
    fair_seed_id = (SELECT id FROM fair_seeds WHERE account_id = _account_id AND seq = _last_seq + 1)
  WHERE id = _account_id;
END
$$;

SELECT pin_plans('start_fair_seeds');
