-- Adds the event of a changed row to the log: without _old it was inserted, without _new deleted.
-- The values hold only members that changed; for secrets only their number, and that they changed
-- (decision 019). A transaction that sets roundhouse.reason says why.
CREATE FUNCTION record_row_change(_kind text, _table text, _old jsonb, _new jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _row jsonb := coalesce(_new, _old);
  _secret text[] := '{secrets,dialect_settings,sealed_token,wallet_token,token_sha256}'::text[]
    || CASE
      WHEN _table LIKE 'console\_%' THEN '{password,secret,backup_codes,token,access_token,refresh_token,id_token,
      updated_at,last_signed_in_at}'::text[]
      ELSE '{}'
    END;
  _before jsonb := _old - _secret;
  _after jsonb := _new - _secret;
  _operator text := (SELECT 'operator ' || code FROM operators WHERE id = (_row->>'operator_id')::integer);
  _user text := (SELECT 'user ' || email FROM console_users WHERE id = _row->>'user_id');
  _subject text;
  _reason text := nullif(current_setting('roundhouse.reason', true), '');
BEGIN
  IF _table = 'operators' THEN
    _before := _before || jsonb_build_object('secret_count', jsonb_array_length(_old->'secrets'));
    _after := _after || jsonb_build_object('secret_count', jsonb_array_length(_new->'secrets'));
    IF _old->'secrets' <> _new->'secrets' THEN _after := _after || '{"secrets_changed": true}'; END IF;
    IF _old->'dialect_settings' <> _new->'dialect_settings' THEN
      _after := _after || '{"dialect_settings_changed": true}';
    END IF;
  END IF;
  IF _old IS NOT NULL AND _new IS NOT NULL THEN
    SELECT coalesce(jsonb_object_agg(key, _before->key) FILTER (WHERE _before ? key), '{}'),
      jsonb_object_agg(key, value)
    INTO _before, _after
    FROM jsonb_each(_after)
    WHERE NOT _before ? key OR _before->key <> value;
  END IF;
  IF _reason IS NOT NULL THEN _after := coalesce(_after, '{}') || jsonb_build_object('reason', _reason); END IF;
  _subject := CASE _table
    WHEN 'operators' THEN 'operator ' || (_row->>'code')
    WHEN 'operator_limits' THEN _operator || ' in ' || (_row->>'currency')
    WHEN 'maintenance' THEN concat_ws(' ', _row->>'scope', nullif(_row->>'target', ''),
      nullif(_row->>'version', ''), 'mode ' || nullif(_row->>'mode', ''))
    WHEN 'games' THEN 'game ' || (_row->>'code')
    WHEN 'game_versions' THEN
      'game ' || (SELECT code FROM games WHERE id = (_row->>'game_id')::integer) || ' ' || (_row->>'version')
    WHEN 'cell' THEN 'cell ' || (_row->'numbers'->>0)
    WHEN 'players' THEN 'player ' || (_row->>'external_id') || ' of ' || _operator
    WHEN 'accounts' THEN concat_ws(' ', 'account', _row->>'id', 'of',
      'player ' || (SELECT external_id FROM players WHERE id = (_row->>'player_id')::bigint) || ' of', _operator)
    WHEN 'console_users' THEN 'user ' || (_row->>'email')
    WHEN 'launches' THEN 'launch ' || substr(_row->>'token_sha256', 3, 16)
    WHEN 'wallet_transactions' THEN 'wallet transaction ' || (_row->>'transaction_id')
    WHEN 'archived_wallet_transactions' THEN 'archived wallet transaction ' || (_row->>'transaction_id')
    WHEN 'round_events' THEN 'event ' || (_row->>'seq') || ' of round ' || (_row->>'round_id')
    WHEN 'archived_round_events' THEN 'archived event ' || (_row->>'seq') || ' of round ' || (_row->>'round_id')
    WHEN 'console_sessions' THEN 'session of ' || _user
    WHEN 'console_accounts' THEN (_row->>'provider_id') || ' account of ' || _user
    WHEN 'console_two_factors' THEN 'second factor of ' || _user
    WHEN 'console_passkeys' THEN 'passkey of ' || _user
    ELSE replace(left(_table, -1), '_', ' ') || ' ' || (_row->>'id')
  END;
  PERFORM record_significant_event(_kind, coalesce(_subject, 'a row of ' || _table), _before::text, _after::text);
END
$$;
