-- Expires grants that are due, at most _most, and ends those that only wait for their end. Returns
-- true when _most have expired, so more may be due. Grants whose winnings no balance can hold stay
-- due, and do not count.
CREATE FUNCTION expire_grants(_most integer) RETURNS boolean
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _due bigint[] := ARRAY(
    SELECT id
    FROM grants
    WHERE ended_at IS NULL AND expires_at <= now() AND ("left" > 0 OR open_rounds = 0)
    ORDER BY expires_at LIMIT _most
  );
BEGIN
  RETURN end_grants(_due, 'expired') = _most;
END
$$;
