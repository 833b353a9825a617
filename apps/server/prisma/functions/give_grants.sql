-- Gives free rounds to players: all of these grants, or none. It creates players and accounts that
-- are missing, as openPlayer, openHouseAccounts and openAccount do.
--
-- outcome       | when                                            | what becomes of it
-- --------------|-------------------------------------------------|-----------------------------
-- cancelled     | the campaign is cancelled                       | the operator API: refused
-- fleet_changed | another version of the fleet, or a player moved | giveGrants places them again
-- given         | else                                            | the operator API: given
--
-- The operator's ids are unique, so a grant that was given before fails the statement (23505). A
-- campaign that is being cancelled waits for its lock here. Each step locks its rows in one order,
-- so of two requests with the same players one waits for the other.
CREATE FUNCTION give_grants(
  _operator_id integer, _campaign_id integer, _grant_id text[], _player text[], _currency text[], _amount bigint[],
  _game_ids integer[], _mode text, _rounds integer, _automatic boolean, _paid_at_end boolean,
  _starts_at timestamptz, _expires_at timestamptz, _now timestamptz, _fleet_version integer
) RETURNS text
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _is_house boolean := (SELECT wallet = 'house' FROM operators WHERE id = _operator_id);
  _account_ids bigint[];
BEGIN
  PERFORM 1
  FROM campaigns
  WHERE id = _campaign_id AND cancelled_at IS NULL
  FOR SHARE;
  IF _campaign_id IS NOT NULL AND NOT FOUND THEN RETURN 'cancelled'; END IF;
  -- decision 032: the fleet says which cell serves a player, and must not change meanwhile.
  IF (SELECT fleet_version FROM cell FOR SHARE) IS DISTINCT FROM _fleet_version THEN RETURN 'fleet_changed'; END IF;

  INSERT INTO players (operator_id, external_id)
  SELECT DISTINCT _operator_id, n.player
  FROM unnest(_player) AS n (player)
  ORDER BY n.player
  ON CONFLICT DO NOTHING;
  -- A move locks its player, so it waits for these grants, or they find the player moved.
  IF _fleet_version IS NOT NULL THEN
    PERFORM 1
    FROM players
    WHERE operator_id = _operator_id AND external_id = ANY (_player)
    ORDER BY id FOR SHARE;
    IF EXISTS (
      SELECT FROM players
      WHERE operator_id = _operator_id AND external_id = ANY (_player) AND moved_to IS NOT NULL
    ) THEN
      RETURN 'fleet_changed';
    END IF;
  END IF;
  IF _is_house THEN
    INSERT INTO accounts (operator_id, kind, currency)
    SELECT DISTINCT _operator_id, k.kind, n.currency
    FROM unnest(_currency) AS n (currency), unnest('{house,cashier}'::account_kind[]) AS k (kind)
    ORDER BY n.currency, k.kind
    ON CONFLICT DO NOTHING;
  END IF;
  INSERT INTO accounts (operator_id, kind, player_id, currency, balance_micros,
    house_account_id,
    login_expires_at, country)
  SELECT _operator_id, 'player', p.id, n.currency, CASE WHEN _is_house THEN 0 END,
    (SELECT id FROM accounts h WHERE h.operator_id = _operator_id AND h.kind = 'house' AND h.currency = n.currency),
    p.login_expires_at, p.country
  FROM (SELECT DISTINCT player, currency FROM unnest(_player, _currency) AS c (player, currency)) n
  JOIN players p ON p.operator_id = _operator_id AND p.external_id = n.player
  WHERE NOT EXISTS (SELECT FROM accounts a WHERE a.player_id = p.id AND a.currency = n.currency)
  ORDER BY p.id, n.currency FOR SHARE OF p
  ON CONFLICT DO NOTHING;

  SELECT array_agg(a.id ORDER BY n.ordinal) INTO _account_ids
  FROM unnest(_player, _currency) WITH ORDINALITY AS n (player, currency, ordinal)
  JOIN players p ON p.operator_id = _operator_id AND p.external_id = n.player
  JOIN accounts a ON a.player_id = p.id AND a.currency = n.currency;
  -- A play reads the mark under this lock, so it finds both the mark and the grant, or neither.
  IF _automatic THEN
    PERFORM 1
    FROM accounts
    WHERE id = ANY (_account_ids)
    ORDER BY id FOR NO KEY UPDATE;
  END IF;
  INSERT INTO grants (operator_id, external_id, campaign_id, account_id, game_ids, mode, amount_micros,
    automatic, paid_at_end, given, "left", starts_at, expires_at, created_at)
  SELECT _operator_id, n.grant_id, _campaign_id, n.account_id, _game_ids, _mode, n.amount,
    _automatic, _paid_at_end, _rounds, _rounds, _starts_at, _expires_at, _now
  FROM unnest(_grant_id, _account_ids, _amount) AS n (grant_id, account_id, amount)
  ORDER BY n.grant_id;
  IF _automatic THEN
    UPDATE accounts
    SET has_automatic_grant = true
    WHERE id = ANY (_account_ids) AND NOT has_automatic_grant;
  END IF;
  RETURN 'given';
END
$$;
