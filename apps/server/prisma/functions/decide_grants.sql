-- Accepts or declines the named grants of the sessions' accounts, and returns the open grants of
-- each account and game with the named one. Without a _decision it only reads. Grants that are due
-- expire first. It does not extend the session.
--
-- outcome            | when                                          | what becomes of it
-- -------------------|-----------------------------------------------|------------------------
-- (session_refusals) | the session is refused                        | each has its code
-- grant_unknown      | the account has no such grant for this game   | ERR_VAL
-- grant_over         | the decision comes after the end of the grant | ERR_VAL
-- decided            | else, and for one that was declined before    | the grants are returned
CREATE FUNCTION decide_grants(_player_id bigint[], _session_row_id bigint[], _grant_id text[], _decision text[])
RETURNS TABLE (ordinal bigint, outcome text, grants jsonb)
LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
DECLARE
  _now timestamptz;
  _judged record;
BEGIN
  _now := lock_players(_player_id);
  PERFORM end_grants(ARRAY(
    SELECT g.id
    FROM accounts a
    JOIN grants g ON g.account_id = a.id
    WHERE a.player_id = ANY (_player_id) AND g.ended_at IS NULL AND g.expires_at <= _now
  ), 'expired');
  FOR _judged IN
    SELECT c.ordinal, s.account_id, s.game_id, g.id AS grant_row_id,
      CASE
        WHEN s.refusal IS NOT NULL THEN s.refusal
        WHEN _grant_id[c.ordinal] IS NOT NULL AND g.id IS NULL THEN 'grant_unknown'
        WHEN _decision[c.ordinal] IS NULL THEN 'decided'
        WHEN _decision[c.ordinal] = 'decline' AND g.state = 'declined' THEN 'decided'
        WHEN g.state NOT IN ('offered', 'accepted') OR g.expires_at <= _now THEN 'grant_over'
        ELSE 'decided'
      END AS outcome
    FROM unnest(_session_row_id) WITH ORDINALITY AS c (session_id, ordinal)
    JOIN session_refusals s ON s.session_id = c.session_id
    LEFT JOIN LATERAL (
      SELECT *
      FROM grants g
      WHERE g.account_id = s.account_id AND g.external_id = _grant_id[c.ordinal] AND s.game_id = ANY (g.game_ids)
      LIMIT 1
    ) g ON true
  LOOP
    ordinal := _judged.ordinal;
    outcome := _judged.outcome;
    grants := NULL;
    IF outcome = 'decided' THEN
      IF _decision[ordinal] = 'decline' THEN
        PERFORM end_grants(ARRAY[_judged.grant_row_id], 'declined');
      ELSIF _decision[ordinal] = 'accept' THEN
        UPDATE grants
        SET state = 'accepted', change_seq = NULL
        WHERE id = _judged.grant_row_id AND state = 'offered';
      END IF;
      grants := grants_of(_judged.account_id, _judged.game_id, _now, _grant_id[ordinal]);
    END IF;
    RETURN NEXT;
  END LOOP;
END
$$;

SELECT pin_plans('decide_grants');
