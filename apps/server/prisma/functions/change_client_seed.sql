-- Sets the client seed of the account of a session. It holds from the next nonce on.
--
-- outcome            | when                                | what becomes of it
-- -------------------|-------------------------------------|-----------------------------------
-- session_invalid    | the session was deleted             | ERR_IS
-- (session_refusals) | the session is refused              | each has its code
-- unstarted          | the account has no server seeds yet | changeClientSeed starts them
-- changed            | the seed is set, or was set before  | changeClientSeed returns the state
-- seeds_in_use       | a round of the account is open      | ERR_VAL
CREATE FUNCTION change_client_seed(_player_id bigint, _session_row_id bigint, _client_seed text) RETURNS text
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _refusal text;
  _account record;
BEGIN
  PERFORM lock_players(ARRAY[_player_id]);
  SELECT s.refusal INTO _refusal FROM session_refusals s WHERE s.session_id = _session_row_id;
  IF NOT FOUND THEN RETURN 'session_invalid'; END IF;
  IF _refusal IS NOT NULL THEN RETURN _refusal; END IF;
  SELECT f.* INTO _account
  FROM sessions s
  JOIN fair_states f ON f.account_id = s.account_id
  WHERE s.id = _session_row_id;
  IF NOT FOUND THEN RETURN 'unstarted'; END IF;
  IF _account.client_seed = _client_seed THEN RETURN 'changed'; END IF;
  IF has_open_round(_account.account_id) THEN RETURN 'seeds_in_use'; END IF;
  PERFORM set_client_seed(_account.account_id, _account.seed_id, _account.nonce, _client_seed);
  RETURN 'changed';
END
$$;

SELECT pin_plans('change_client_seed');
