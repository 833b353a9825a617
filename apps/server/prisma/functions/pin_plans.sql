-- Fixes the plan of a batch command to one index look-up per command. A batch touches a handful of
-- rows in tables of any size, and a connection keeps the plan that it made for small tables.
-- Each command function calls this once, when `roundhouse migrate` creates it; a call of a function
-- with these settings costs about 6 microseconds more.
-- The look-ups in the commands end with LIMIT for the same reason: without it the planner joins
-- them to the whole index. No common table is joined to another one: that is a loop in a loop.
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
