-- Writes codes into a row, as JSON, where ids differ between databases: of operators, games, game
-- versions, campaigns, and accounts of the house. An id without a row is an error.
CREATE FUNCTION with_codes(_fields jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  _codes jsonb := '{}';
  _code jsonb;
  _column text;
BEGIN
  IF _fields ? 'operator_id' THEN
    _codes := _codes || jsonb_build_object('operator_id', (
      SELECT code
      FROM operators
      WHERE id = (_fields ->> 'operator_id')::integer
    ));
  END IF;
  IF _fields ? 'game_id' THEN
    _codes := _codes || jsonb_build_object('game_id', (
      SELECT code
      FROM games
      WHERE id = (_fields ->> 'game_id')::integer
    ));
  END IF;
  IF _fields ? 'game_version_id' THEN
    _codes := _codes || jsonb_build_object('game_version_id', (
      SELECT jsonb_build_array(g.code, v.version)
      FROM game_versions v
      JOIN games g ON g.id = v.game_id
      WHERE v.id = (_fields ->> 'game_version_id')::integer
    ));
  END IF;
  IF _fields ? 'game_ids' THEN
    _codes := _codes || jsonb_build_object('game_ids', (
      SELECT coalesce(jsonb_agg((SELECT code FROM games WHERE id = i.id::integer) ORDER BY i.ordinal), '[]')
      FROM jsonb_array_elements_text(_fields -> 'game_ids') WITH ORDINALITY i (id, ordinal)
    ));
  END IF;
  IF _fields ? 'campaign_id' THEN
    _codes := _codes || jsonb_build_object('campaign_id', (
      SELECT external_id
      FROM campaigns
      WHERE id = (_fields ->> 'campaign_id')::integer
    ));
  END IF;
  FOREACH _column IN ARRAY '{house_account_id,from_account_id,to_account_id}'::text[] LOOP
    CONTINUE WHEN _fields ->> _column IS NULL;
    SELECT jsonb_build_array(kind, currency) INTO _code
    FROM accounts
    WHERE id = (_fields ->> _column)::bigint AND kind <> 'player';
    IF FOUND THEN _codes := _codes || jsonb_build_object(_column, _code); END IF;
  END LOOP;
  IF EXISTS (SELECT FROM jsonb_each(_codes) c WHERE c.value = 'null' AND _fields -> c.key <> 'null') THEN
    RAISE EXCEPTION 'a row names something that is not there: % of %', _codes, _fields;
  END IF;
  RETURN _fields || _codes;
END
$$;
