-- Sets the client seed of an account, from this nonce of its server seed on. It replaces a client
-- seed under which nothing was played. The caller has locked the player.
CREATE FUNCTION set_client_seed(_account_id bigint, _seed_id bigint, _from_nonce bigint, _client_seed text) RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _id bigint;
BEGIN
  INSERT INTO fair_client_seeds AS c (seed_id, from_nonce, client_seed)
  VALUES (_seed_id, _from_nonce, _client_seed)
  ON CONFLICT (seed_id, from_nonce)
    DO UPDATE SET id = excluded.id, client_seed = excluded.client_seed, created_at = excluded.created_at
  RETURNING c.id INTO _id;
  UPDATE accounts SET fair_client_seed_id = _id WHERE id = _account_id;
END
$$;
