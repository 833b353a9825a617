-- Sets the planner so that a function finds the rows of each command by an index (decision 002). A
-- connection plans a function once. If the tables are still small then, the planner reads them as a
-- whole, and the connection would keep that plan when they are large.
-- The file of each batch command calls this after it has created its function. The settings cost
-- about 6 microseconds for each call of the function.
-- For the same reason the look-ups in the commands end with LIMIT: without it the planner joins
-- them to the whole index. No WITH query is joined to another one: that compares all their rows.
CREATE FUNCTION pin_plans(_function regproc) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  EXECUTE format('ALTER FUNCTION %s
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_hashjoin = off
    SET enable_mergejoin = off
    SET jit = off', _function::oid::regprocedure);
END
$$;
