-- Returns why a session may not play; NULL when it may. The order is that of the protocol.
-- _blocked_countries has upper-case codes with commas.
--
-- refusal          | when                                 | what becomes of it
-- -----------------|--------------------------------------|-------------------
-- session_unknown  | no such session, or it has timed out | ERR_IS
-- login_expired    | the login of the player has expired  | ERR_ATE
-- location_blocked | the country of the player is blocked | ERR_LOC
CREATE FUNCTION session_refusal(_session live_sessions, _blocked_countries text) RETURNS text
LANGUAGE sql IMMUTABLE
AS $$
  SELECT CASE
    WHEN _session.account_id IS NULL THEN 'session_unknown'
    WHEN _session.login_has_expired THEN 'login_expired'
    WHEN _session.country = ANY(string_to_array(_blocked_countries, ',')) THEN 'location_blocked'
  END
$$;
