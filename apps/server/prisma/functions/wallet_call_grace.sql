-- How long recovery leaves a call to the node that sends it, beyond the operator's timeout.
CREATE FUNCTION wallet_call_grace() RETURNS interval LANGUAGE sql IMMUTABLE AS $$ SELECT interval '3 seconds' $$;
