-- Reads balances. It does not extend the session, because clients poll it.
-- Outcomes: maintenance, session_invalid, login_expired, location_forbidden, read.
CREATE FUNCTION read_balances(_session_row_id bigint[])
RETURNS TABLE (ordinal bigint, outcome text, balance_micros bigint)
LANGUAGE plpgsql STABLE
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT c.ordinal, coalesce(g.refusal, 'read'), g.balance_micros
  FROM unnest(_session_row_id) WITH ORDINALITY AS c (session_id, ordinal)
  JOIN session_refusals g ON g.session_id = c.session_id;
END
$$;

SELECT pin_plans('read_balances');
