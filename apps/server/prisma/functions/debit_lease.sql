-- Returns how long a debit belongs to the node that sends it. The node renews the lease while it
-- waits for the response, so the node of a debit that is due is lost (decision 005).
CREATE FUNCTION debit_lease() RETURNS interval
LANGUAGE sql IMMUTABLE
AS $$ SELECT interval '2.5 seconds' $$;
