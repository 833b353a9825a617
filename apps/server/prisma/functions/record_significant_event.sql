-- Adds an event to the log, in the transaction of what it describes. The default of _actor is the
-- actor of the connection or transaction (roundhouse.actor), and for SQL from outside the role of
-- the database.
CREATE FUNCTION record_significant_event(
  _kind text, _subject text, _before text, _after text, _actor text DEFAULT NULL
) RETURNS void
LANGUAGE sql VOLATILE
AS $$
  INSERT INTO significant_events (actor, kind, subject, value_before, value_after)
  VALUES (
    coalesce(_actor, nullif(current_setting('roundhouse.actor', true), ''), 'database:' || session_user),
    _kind, _subject, _before, _after
  )
$$;
