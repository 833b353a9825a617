-- Gives an event its place in the chain, when its transaction commits.
CREATE FUNCTION seal_significant_event() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
  _head event_chain_head;
  _event significant_events;
BEGIN
  SELECT * INTO STRICT _head FROM event_chain_head FOR NO KEY UPDATE;
  SELECT * INTO STRICT _event FROM significant_events WHERE id = NEW.id;
  _event.seq := _head.seq + 1;
  -- The order of the chain is that of the times, also when the clock of the database goes back.
  _event.at := greatest(clock_timestamp(), _head.at);
  _event.previous_hash := _head.hash;
  _event.hash := significant_event_hash(_event);
  UPDATE significant_events
  SET seq = _event.seq, at = _event.at, previous_hash = _event.previous_hash, hash = _event.hash
  WHERE id = NEW.id;
  UPDATE event_chain_head
  SET seq = _event.seq, at = _event.at, hash = _event.hash;
  RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER significant_events_seal AFTER INSERT ON significant_events
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION seal_significant_event();
