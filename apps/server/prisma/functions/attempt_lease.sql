-- Returns how long a credit or rollback belongs to its sender: the operator's time-out plus 3 s.
CREATE FUNCTION attempt_lease(_wallet_timeout_ms integer) RETURNS interval
LANGUAGE sql IMMUTABLE
AS $$
  SELECT _wallet_timeout_ms * interval '1 millisecond' + interval '3 seconds'
$$;
