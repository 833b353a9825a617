-- Accepts or declines a grant of the session's account. The caller holds the lock of the account
-- and has judged the decision.
CREATE FUNCTION decide_grant(_session_row_id bigint, _grant_id text, _decision text) RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _id bigint := (
    SELECT g.id FROM sessions s JOIN grants g ON g.account_id = s.account_id
    WHERE s.id = _session_row_id AND g.external_id = _grant_id
  );
BEGIN
  IF _decision = 'decline' THEN
    PERFORM end_grants(ARRAY[_id], 'declined');
  ELSE
    UPDATE grants SET state = 'accepted', change_seq = NULL WHERE id = _id AND state = 'offered';
  END IF;
END
$$;
