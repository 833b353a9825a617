-- Returns all rows of a player that move with it to another cell, as JSON with the codes of
-- with_codes: equal players have equal rows in two databases (decision 032). What the move changes
-- is left out: the switch of the move, the active session (sessions end, so its time is in its own
-- row), and the change_seq of a grant, which each database sets itself. Archived rows have their
-- own tables. moved_tables() says the order in which rows can be inserted.
CREATE FUNCTION player_rows(_player_id bigint) RETURNS TABLE (table_name text, key text, fields jsonb)
LANGUAGE sql STABLE
SET TimeZone = 'UTC'
SET bytea_output = 'hex'
AS $$
  WITH own_accounts AS MATERIALIZED (
    SELECT * FROM accounts WHERE player_id = _player_id
  ), own_rounds AS MATERIALIZED (
    SELECT r.*
    FROM own_accounts a
    CROSS JOIN LATERAL (SELECT * FROM rounds WHERE account_id = a.id) r
  ), own_archived_rounds AS MATERIALIZED (
    SELECT r.*
    FROM own_accounts a
    CROSS JOIN LATERAL (SELECT * FROM archived_rounds WHERE account_id = a.id) r
  )
  SELECT t.table_name, t.key, with_codes(t.fields)
  FROM (
    SELECT 'players', p.id::text, to_jsonb(p) || '{"moved_to": null}'
    FROM players p
    WHERE p.id = _player_id
    UNION ALL
    SELECT 'accounts', a.id::text, to_jsonb(a) || '{"is_moving": false, "active_session_id": null, "active_at": null}'
    FROM own_accounts a
    UNION ALL
    SELECT 'fair_seeds', f.id::text, to_jsonb(f)
    FROM own_accounts a
    JOIN fair_seeds f ON f.account_id = a.id
    UNION ALL
    SELECT 'fair_client_seeds', c.id::text, to_jsonb(c)
    FROM own_accounts a
    JOIN fair_seeds f ON f.account_id = a.id
    JOIN fair_client_seeds c ON c.seed_id = f.id
    UNION ALL
    SELECT 'sessions', s.id::text,
      to_jsonb(s) || jsonb_build_object('state', 'revoked', 'last_active_at', greatest(s.last_active_at, a.active_at))
    FROM sessions s
    LEFT JOIN own_accounts a ON a.active_session_id = s.id
    WHERE s.player_id = _player_id
    UNION ALL
    SELECT 'grants', g.id::text, to_jsonb(g) || '{"change_seq": null}'
    FROM own_accounts a
    JOIN grants g ON g.account_id = a.id
    UNION ALL
    SELECT 'rounds', r.id::text, to_jsonb(r) FROM own_rounds r
    UNION ALL
    SELECT 'round_events', e.round_id || ' ' || e.seq, to_jsonb(e)
    FROM own_rounds r
    JOIN round_events e ON e.round_id = r.id
    UNION ALL
    SELECT 'transfers', t.id::text, to_jsonb(t)
    FROM own_rounds r
    JOIN transfers t ON t.round_id = r.id
    UNION ALL
    SELECT 'transfers', t.id::text, to_jsonb(t)
    FROM own_accounts a
    JOIN transfers t ON t.round_id IS NULL
      AND (CASE t.kind WHEN 'deposit' THEN t.to_account_id ELSE t.from_account_id END) = a.id
    UNION ALL
    SELECT 'wallet_transactions', w.transaction_id::text, to_jsonb(w)
    FROM own_rounds r
    JOIN wallet_transactions w ON w.round_id = r.id
    UNION ALL
    SELECT 'archived_rounds', r.id::text, to_jsonb(r) FROM own_archived_rounds r
    UNION ALL
    SELECT 'archived_round_events', e.round_id || ' ' || e.seq, to_jsonb(e)
    FROM own_archived_rounds r
    JOIN archived_round_events e ON e.round_id = r.id
    UNION ALL
    SELECT 'archived_transfers', t.id::text, to_jsonb(t)
    FROM own_archived_rounds r
    JOIN archived_transfers t ON t.round_id = r.id
    UNION ALL
    SELECT 'archived_wallet_transactions', w.transaction_id::text, to_jsonb(w)
    FROM own_archived_rounds r
    JOIN archived_wallet_transactions w ON w.round_id = r.id
    UNION ALL
    SELECT 'round_traces', t.round_id::text, to_jsonb(t)
    FROM own_rounds r
    JOIN round_traces t ON t.round_id = r.id
    UNION ALL
    SELECT 'round_traces', t.round_id::text, to_jsonb(t)
    FROM own_archived_rounds r
    JOIN round_traces t ON t.round_id = r.id
  ) t (table_name, key, fields)
$$;

SELECT pin_plans('player_rows');
