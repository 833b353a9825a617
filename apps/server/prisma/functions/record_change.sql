-- Records each change of the configuration as one significant event, even one that is made by hand
-- in SQL (decision 019). record_row_change says what the event holds. PostgreSQL parses the stored
-- text of a trigger's WHEN for each statement. So WHEN is short on the tables that plays write, and
-- the trigger decides the rest.
-- Arguments of the trigger: the kind of the event, and a pattern of its actors (default: all).
CREATE FUNCTION record_change() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  IF TG_NARGS > 1 AND coalesce(current_setting('roundhouse.actor', true), '') !~ TG_ARGV[1] THEN
    RETURN NULL;
  END IF;
  PERFORM record_row_change(
    TG_ARGV[0], TG_TABLE_NAME,
    CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END,
    CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END);
  RETURN NULL;
END
$$;

DO $$
DECLARE
  _table text;
BEGIN
  -- These tables hold the configuration.
  FOREACH _table IN ARRAY '{operators,operator_limits,games,game_versions,cell}'::text[] LOOP
    EXECUTE format($sql$
      CREATE TRIGGER %2$I AFTER INSERT OR DELETE ON %1$I
      FOR EACH ROW EXECUTE FUNCTION record_change(%3$L);
      CREATE TRIGGER %4$I AFTER UPDATE ON %1$I
      FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_change(%3$L)
    $sql$,
      _table,
      _table || '_added_or_removed',
      CASE
        WHEN _table IN ('operator_limits', 'cell') THEN _table
        ELSE left(_table, -1)
      END || '_changed',
      _table || '_changed');
  END LOOP;

  -- Plays write these tables, so this records only SQL from outside: nodes and commands name
  -- themselves. It skips inserts. Every play would pay for them, and no money moves without a
  -- changed account.
  FOREACH _table IN ARRAY '{players,accounts,sessions,launches,rounds,round_events,transfers,
      wallet_transactions,campaigns,grants,
      archived_rounds,archived_round_events,archived_transfers,archived_wallet_transactions}'::text[] LOOP
    EXECUTE format($sql$
      CREATE TRIGGER %2$I AFTER UPDATE OR DELETE ON %1$I
      FOR EACH ROW WHEN (nullif(current_setting('roundhouse.actor', true), '') IS NULL)
      EXECUTE FUNCTION record_change('data_changed')
    $sql$, _table, _table || '_changed_from_outside');
  END LOOP;

  -- A person who adds a row here by hand can sign in as somebody else, so inserts count as well.
  FOREACH _table IN ARRAY '{console_accounts,console_sessions,console_two_factors,console_passkeys}'::text[] LOOP
    EXECUTE format($sql$
      CREATE TRIGGER %2$I AFTER INSERT OR UPDATE OR DELETE ON %1$I
      FOR EACH ROW WHEN (nullif(current_setting('roundhouse.actor', true), '') IS NULL)
      EXECUTE FUNCTION record_change('data_changed')
    $sql$, _table, _table || '_changed_from_outside');
  END LOOP;
END
$$;

CREATE TRIGGER maintenance_started AFTER INSERT ON maintenance
FOR EACH ROW EXECUTE FUNCTION record_change('maintenance_started');
CREATE TRIGGER maintenance_changed AFTER UPDATE ON maintenance
FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_change('maintenance_changed');
CREATE TRIGGER maintenance_ended AFTER DELETE ON maintenance
FOR EACH ROW EXECUTE FUNCTION record_change('maintenance_ended');

-- A node stores the limits that an operator gives with each session verification.
CREATE TRIGGER accounts_limits_changed AFTER UPDATE OF daily_wager_limit_micros, daily_loss_limit_micros ON accounts
FOR EACH ROW WHEN ((OLD.daily_wager_limit_micros, OLD.daily_loss_limit_micros)
  IS DISTINCT FROM (NEW.daily_wager_limit_micros, NEW.daily_loss_limit_micros))
EXECUTE FUNCTION record_change('player_limits_changed', '^(person|user):');

CREATE TRIGGER players_login_changed AFTER UPDATE OF login_expires_at ON players
FOR EACH ROW WHEN (OLD.login_expires_at IS DISTINCT FROM NEW.login_expires_at)
EXECUTE FUNCTION record_change('player_login_changed', '.');

-- A node ends the other sessions of a player where only one may be open.
CREATE TRIGGER sessions_revoked AFTER UPDATE OF state ON sessions
FOR EACH ROW WHEN (NEW.state = 'revoked' AND OLD.state <> 'revoked')
EXECUTE FUNCTION record_change('session_revoked', '^(person|user|operator):');

CREATE TRIGGER launches_revoked AFTER UPDATE OF revoked ON launches
FOR EACH ROW WHEN (NEW.revoked AND NOT OLD.revoked)
EXECUTE FUNCTION record_change('session_revoked', '^(person|user|operator):');

-- Only a person writes a note, or makes a parked one pending again.
CREATE TRIGGER wallet_transactions_changed_by_person AFTER UPDATE OF state ON wallet_transactions
FOR EACH ROW WHEN (NEW.settlement_note IS NOT NULL OR OLD.state = 'parked')
EXECUTE FUNCTION record_change('wallet_transaction_changed', '^(person|user):');

-- A sign-in sets last_signed_in_at and has its own event.
CREATE TRIGGER console_users_added_or_removed AFTER INSERT OR DELETE ON console_users
FOR EACH ROW EXECUTE FUNCTION record_change('user_changed');
CREATE TRIGGER console_users_changed AFTER UPDATE ON console_users
FOR EACH ROW WHEN (
  (OLD.email, OLD.name, OLD.email_verified, OLD.role,
    OLD.operator_id, OLD.disabled, OLD.two_factor_enabled)
  IS DISTINCT FROM (NEW.email, NEW.name, NEW.email_verified, NEW.role,
    NEW.operator_id, NEW.disabled, NEW.two_factor_enabled))
EXECUTE FUNCTION record_change('user_changed');
