-- Returns the longest time for which a credit or rollback is retried before it is parked; some
-- dialects of wallets end it earlier (retryMs of their traits).
CREATE FUNCTION retry_period() RETURNS interval
LANGUAGE sql IMMUTABLE
AS $$ SELECT interval '72 hours' $$;
