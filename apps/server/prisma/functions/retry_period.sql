-- Returns how long a credit or rollback is retried before it is parked.
CREATE FUNCTION retry_period() RETURNS interval
LANGUAGE sql IMMUTABLE
AS $$ SELECT interval '72 hours' $$;
