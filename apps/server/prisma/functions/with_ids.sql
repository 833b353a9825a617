-- Writes the ids of this database into a row of with_codes. A code that is not here is an error.
CREATE FUNCTION with_ids(_fields jsonb, _operator_id integer) RETURNS jsonb
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  _ids jsonb := '{}';
  _column text;
BEGIN
  IF _fields ? 'operator_id' THEN _ids := _ids || jsonb_build_object('operator_id', _operator_id); END IF;
  IF _fields ? 'game_id' THEN
    _ids := _ids || jsonb_build_object('game_id', (SELECT id FROM games WHERE code = _fields ->> 'game_id'));
  END IF;
  IF _fields ? 'game_version_id' THEN
    _ids := _ids || jsonb_build_object('game_version_id', (
      SELECT v.id
      FROM game_versions v
      JOIN games g ON g.id = v.game_id
      WHERE g.code = _fields -> 'game_version_id' ->> 0 AND v.version = _fields -> 'game_version_id' ->> 1
    ));
  END IF;
  IF _fields ? 'game_ids' THEN
    _ids := _ids || jsonb_build_object('game_ids', (
      SELECT coalesce(jsonb_agg((SELECT id FROM games WHERE code = i.code) ORDER BY i.ordinal), '[]')
      FROM jsonb_array_elements_text(_fields -> 'game_ids') WITH ORDINALITY i (code, ordinal)
    ));
  END IF;
  IF _fields ->> 'campaign_id' IS NOT NULL THEN
    _ids := _ids || jsonb_build_object('campaign_id', (
      SELECT id
      FROM campaigns
      WHERE operator_id = _operator_id AND external_id = _fields ->> 'campaign_id'
    ));
  END IF;
  FOREACH _column IN ARRAY '{house_account_id,from_account_id,to_account_id}'::text[] LOOP
    CONTINUE WHEN jsonb_typeof(_fields -> _column) IS DISTINCT FROM 'array';
    _ids := _ids || jsonb_build_object(_column, (
      SELECT id
      FROM accounts
      WHERE operator_id = _operator_id AND kind = (_fields -> _column ->> 0)::account_kind
        AND currency = _fields -> _column ->> 1
    ));
  END LOOP;
  IF EXISTS (SELECT FROM jsonb_each(_ids) WHERE value = 'null' OR value @> '[null]') THEN
    RAISE EXCEPTION 'a row names something that this database does not have: %', _fields;
  END IF;
  RETURN _fields || _ids;
END
$$;
