-- Reveals the server seed in use, the one of _server_seed_sha256. The committed next one replaces
-- it, with a new client seed and from nonce 0, and _next_* is the next one after it.
--
-- outcome            | when                                            | what becomes of it
-- -------------------|-------------------------------------------------|---------------------------
-- session_invalid    | the session was deleted                         | ERR_IS
-- (session_refusals) | the session is refused                          | each has its code
-- seed_unknown       | it is no seed of the account, or not in use yet | ERR_VAL
-- revealed           | the seed is revealed, or was revealed before    | rotateFairSeeds returns it
-- seeds_in_use       | a round of the account is open                  | ERR_VAL
-- seed_unused        | no play has taken a nonce under the seed        | ERR_VAL
--
-- A seed that was revealed before changes nothing, so a client whose response was lost can repeat
-- the request.
-- decision 031: a seed by which nothing was drawn stays. Revealing it would prove nothing, and
-- rotations without a play between them would add rows without end.
CREATE FUNCTION rotate_fair_seeds(
  _player_id bigint, _session_row_id bigint, _server_seed_sha256 bytea, _client_seed text, _next_sha256 bytea,
  _next_sealed text
) RETURNS text
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _now timestamptz;
  _refusal text;
  _account_id bigint;
  _seed fair_seeds;
  _next_id bigint;
  _nonces bigint;
BEGIN
  _now := lock_players(ARRAY[_player_id]);
  SELECT s.refusal, s.account_id INTO _refusal, _account_id
  FROM session_refusals s
  WHERE s.session_id = _session_row_id;
  IF NOT FOUND THEN RETURN 'session_invalid'; END IF;
  IF _refusal IS NOT NULL THEN RETURN _refusal; END IF;
  SELECT * INTO _seed
  FROM fair_seeds
  WHERE server_seed_sha256 = _server_seed_sha256 AND account_id = _account_id;
  IF NOT FOUND THEN RETURN 'seed_unknown'; END IF;
  IF _seed.revealed_at IS NOT NULL THEN RETURN 'revealed'; END IF;
  SELECT id INTO _next_id
  FROM fair_seeds
  WHERE account_id = _account_id AND seq = _seed.seq + 1;
  -- The committed next seed is not in use yet: no seed comes after it.
  IF NOT FOUND THEN RETURN 'seed_unknown'; END IF;
  IF has_open_round(_account_id) THEN RETURN 'seeds_in_use'; END IF;
  SELECT fair_nonce INTO _nonces FROM accounts WHERE id = _account_id;
  IF _nonces = 0 THEN RETURN 'seed_unused'; END IF;
  UPDATE fair_seeds
  SET revealed_at = _now, nonces = _nonces
  WHERE id = _seed.id;
  INSERT INTO fair_seeds (account_id, seq, server_seed_sha256, sealed_server_seed, created_at)
  VALUES (_account_id, _seed.seq + 2, _next_sha256, _next_sealed, _now);
  UPDATE accounts
  SET fair_seed_id = _next_id, fair_nonce = 0
  WHERE id = _account_id;
  PERFORM set_client_seed(_account_id, _next_id, 0, _client_seed);
  RETURN 'revealed';
END
$$;

SELECT pin_plans('rotate_fair_seeds');
