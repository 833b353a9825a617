-- Reads balances. It does not extend the session, because clients poll it.
--
-- outcome            | when                   | what becomes of it
-- -------------------|------------------------|-------------------
-- (session_refusals) | the session is refused | each has its code
-- read               | else                   | balance returns it
CREATE FUNCTION read_balances(_session_row_id bigint[])
RETURNS TABLE (ordinal bigint, outcome text, balance_micros bigint)
LANGUAGE plpgsql STABLE
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT c.ordinal, coalesce(s.refusal, 'read'), s.balance_micros
  FROM unnest(_session_row_id) WITH ORDINALITY AS c (session_id, ordinal)
  JOIN session_refusals s ON s.session_id = c.session_id;
END
$$;

SELECT pin_plans('read_balances');
