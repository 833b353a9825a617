-- Shows a session with its account, and the first reason, if any, to refuse its request. Commands
-- read it and nodes never cache it, so switches, time-outs and limits take effect on every node at
-- once. refusal and authentication_refusal are NULL, or the first of these that applies:
--
-- outcome            | when                                                 | what becomes of it
-- -------------------|------------------------------------------------------|-------------------
-- …_maintenance      | a switch of its scope lets nothing through           | ERR_MAINTENANCE
-- session_invalid    | the session is revoked, expired, or refused as below | ERR_IS
-- login_expired      | the player has to sign in at the operator again      | ERR_ATE
-- location_forbidden | the operator does not allow the country              | ERR_LOC
--
-- refusal is that of a request: a session that has not authenticated, or that is idle, is
-- invalid. authentication_refusal is that of authenticate, after which the session is not idle.
--
-- decision 002: LIMIT pins each look-up to its row. Planned with one operator, the join began with
-- it, and read the whole batch once for each operator that was added later. maintenance is read
-- only when a switch is set, and by functions: PostgreSQL prepares each subquery of a statement for
-- every run. OFFSET keeps the planner from copying it to each use.
-- decision 017: the account is found by its player, in the index and page that lock_players has
-- just read: with a million players a look-up by another index reads a page more. `id + 0` keeps
-- the planner from that index. account_ctid is where the row is: a command that holds the lock
-- updates it there, without a look-up.
CREATE VIEW session_refusals AS
SELECT
  s.id AS session_id,
  s.player_id,
  s.account_id,
  a.ctid AS account_ctid,
  s.game_version_id,
  s.game_id,
  (m.strongest).level AS maintenance,
  (m.strongest).scope || '_maintenance' AS maintenance_refusal,
  m.is_any AS is_any_maintenance,
  CASE
    WHEN (m.strongest).level = 'nothing_at_all' THEN (m.strongest).scope || '_maintenance'
    WHEN s.state <> 'authenticated'
      OR s.expires_at <= now()
      OR CASE WHEN a.active_session_id = s.id THEN a.active_at ELSE s.last_active_at END
        + least(o.session_timeout_ms, s.idle_timeout_ms) * interval '1 millisecond' <= now()
      THEN 'session_invalid'
    WHEN a.login_expires_at <= now() THEN 'login_expired'
    WHEN NOT c.located THEN 'location_forbidden'
  END AS refusal,
  CASE
    WHEN (m.strongest).level = 'nothing_at_all' THEN (m.strongest).scope || '_maintenance'
    WHEN s.state = 'revoked' OR s.expires_at <= now() THEN 'session_invalid'
    WHEN a.login_expires_at <= now() THEN 'login_expired'
    WHEN NOT c.located THEN 'location_forbidden'
  END AS authentication_refusal,
  o.id AS operator_id,
  o.wallet_timeout_ms,
  s.state,
  a.currency,
  a.house_account_id,
  a.balance_micros,
  a.counted_on,
  a.wagered_today_micros,
  a.won_today_micros,
  a.daily_wager_limit_micros,
  a.daily_loss_limit_micros,
  a.has_automatic_grant,
  a.is_moving,
  a.active_session_id,
  a.active_at,
  a.fair_seed_id,
  a.fair_client_seed_id,
  a.fair_nonce,
  -- NULL means no limit.
  least(s.max_stake_micros, s.verified_max_stake_micros) AS max_stake_micros,
  s.single_instance,
  coalesce(s.country, a.country) AS country
FROM sessions s
CROSS JOIN LATERAL (SELECT ctid, * FROM accounts WHERE player_id = s.player_id AND id + 0 = s.account_id LIMIT 1) a
CROSS JOIN LATERAL (SELECT * FROM operators WHERE id = a.operator_id LIMIT 1) o
CROSS JOIN LATERAL (
  SELECT any_row.is_any, CASE WHEN any_row.is_any THEN maintenance_of(o.code, s.game_version_id) END AS strongest
  FROM (SELECT EXISTS (SELECT FROM maintenance) AS is_any) any_row
  OFFSET 0
) m
CROSS JOIN LATERAL (
  -- An unknown country is in no list: not allowed where a list allows, not blocked by a block list.
  SELECT
    (cardinality(o.allowed_countries) = 0
      OR coalesce(coalesce(s.country, a.country) = ANY (o.allowed_countries), false))
    AND coalesce(coalesce(s.country, a.country) <> ALL (o.blocked_countries), true)
    AS located
) c;
