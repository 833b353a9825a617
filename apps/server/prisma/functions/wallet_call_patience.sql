-- How long a call is retried before it is parked.
CREATE FUNCTION wallet_call_patience() RETURNS interval LANGUAGE sql IMMUTABLE AS $$ SELECT interval '72 hours' $$;
