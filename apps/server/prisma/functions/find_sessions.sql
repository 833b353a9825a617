-- Looks many sessions up in one call, for unknown callers. Each command gets one row.
--
-- kind    | when                                                      | what becomes of it
-- --------|-----------------------------------------------------------|--------------------------
-- session | the session has authenticated before                      | the request goes on
-- launch  | an operator launched it, and it has not authenticated yet | authenticate starts it
-- unknown | else: operator_id is the operator that can verify it      | that operator verifies it
--
-- Of an unknown one, operator_id is the seamless operator that the prefix names, else the default
-- one when it is seamless, else NULL.
CREATE FUNCTION find_sessions(_token_sha256 bytea[], _prefix text[])
RETURNS TABLE (
  ordinal bigint, kind text, operator_id integer,
  session_id bigint, player_id bigint, is_seamless boolean, external_id text, currency text, game text, version text,
  jurisdiction jsonb, country text, sealed_token bytea, revoked boolean, expires_at timestamptz,
  wallet_token text, wallet_unit integer, draws text
)
LANGUAGE plpgsql STABLE
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT c.ordinal,
    CASE WHEN s.id IS NOT NULL THEN 'session' WHEN l.token_sha256 IS NOT NULL THEN 'launch' ELSE 'unknown' END,
    CASE
      WHEN s.id IS NOT NULL THEN a.operator_id
      WHEN l.token_sha256 IS NOT NULL THEN l.operator_id
      ELSE coalesce(
        (SELECT o.id FROM operators o WHERE o.code = c.prefix AND o.wallet = 'seamless' AND o.wallet_url IS NOT NULL),
        (SELECT o.id FROM operators o WHERE o.is_default AND o.wallet = 'seamless' AND o.wallet_url IS NOT NULL)
      )
    END,
    s.id, s.player_id, s.id IS NOT NULL AND a.balance_micros IS NULL, coalesce(p.external_id, l.external_id),
    coalesce(a.currency, l.currency), g.code, v.version,
    coalesce(s.jurisdiction, l.jurisdiction), l.country, l.sealed_token, l.revoked, l.expires_at,
    s.wallet_token, s.wallet_unit_micros, coalesce(s.draws, l.draws)::text
  FROM unnest(_token_sha256, _prefix) WITH ORDINALITY AS c (token_sha256, prefix, ordinal)
  LEFT JOIN LATERAL (SELECT * FROM sessions WHERE token_sha256 = c.token_sha256 LIMIT 1) s ON true
  LEFT JOIN LATERAL (SELECT * FROM launches WHERE token_sha256 = c.token_sha256 AND s.id IS NULL LIMIT 1) l ON true
  LEFT JOIN LATERAL (SELECT * FROM accounts WHERE id = s.account_id LIMIT 1) a ON true
  LEFT JOIN LATERAL (SELECT * FROM players WHERE id = s.player_id LIMIT 1) p ON true
  LEFT JOIN LATERAL (
    SELECT *
    FROM game_versions
    WHERE id = coalesce(s.game_version_id, l.game_version_id)
    LIMIT 1
  ) v ON true
  LEFT JOIN LATERAL (SELECT * FROM games WHERE id = v.game_id LIMIT 1) g ON true;
END
$$;

SELECT pin_plans('find_sessions');
