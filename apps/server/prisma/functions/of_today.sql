-- Returns a sum that an account keeps of one day (UTC): 0 when it counted another day than today.
-- decision 002: it is in SQL, so that the planner inlines the expression.
CREATE FUNCTION of_today(_counted_on date, _today date, _sum bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE
AS $$
  SELECT CASE WHEN _counted_on = _today THEN _sum ELSE 0 END
$$;
