-- Records that a table was truncated.
CREATE FUNCTION record_truncation() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  PERFORM record_significant_event('table_truncated', 'table ' || TG_TABLE_NAME, NULL, NULL);
  RETURN NULL;
END
$$;

DO $$
DECLARE
  _table text;
BEGIN
  FOREACH _table IN ARRAY '{operators,operator_limits,maintenance,games,game_versions,cell,
      players,accounts,sessions,launches,rounds,round_events,transfers,wallet_transactions,campaigns,grants,
      console_users,console_accounts,console_sessions,console_two_factors,console_passkeys,
      archived_rounds,archived_round_events,archived_transfers,archived_wallet_transactions}'::text[]
  LOOP
    EXECUTE format(
      'CREATE TRIGGER %2$I AFTER TRUNCATE ON %1$I FOR EACH STATEMENT EXECUTE FUNCTION record_truncation()',
      _table, _table || '_truncated');
  END LOOP;
END
$$;
