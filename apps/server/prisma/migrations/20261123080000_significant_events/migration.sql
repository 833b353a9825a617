-- The log of significant events, a chain of hashes. docs/audit.md describes it for those who verify it.
-- An event is inserted in the transaction of what it describes, by record_significant_event. seq, at
-- and the hashes come when that transaction commits: then a deferred trigger locks the head of the
-- chain. So the lock is the last one of every transaction, and no client round trip falls into it.
-- value_before, value_after: JSON as text, because the hash is of its bytes.
CREATE TABLE significant_events (
  id            bigserial   PRIMARY KEY,
  seq           bigint,
  at            timestamptz NOT NULL DEFAULT now(),
  actor         text        NOT NULL,
  kind          text        NOT NULL,
  subject       text        NOT NULL,
  value_before  text,
  value_after   text,
  -- Both in hexadecimal.
  previous_hash text,
  hash          text,
  CONSTRAINT significant_events_values_are_json CHECK (
    (value_before IS NULL OR value_before::json IS NOT NULL) AND (value_after IS NULL OR value_after::json IS NOT NULL))
);
CREATE UNIQUE INDEX significant_events_seq_key ON significant_events (seq);

-- The last event of the chain: without it the end of the log could be cut off unseen.
CREATE TABLE event_chain_head (
  only_row boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
  seq      bigint      NOT NULL,
  at       timestamptz NOT NULL DEFAULT now(),
  hash     text        NOT NULL
);
INSERT INTO event_chain_head (seq, hash) VALUES (0, repeat('0', 64));

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
  UPDATE significant_events SET seq = _event.seq, at = _event.at, previous_hash = _event.previous_hash, hash = _event.hash
  WHERE id = NEW.id;
  UPDATE event_chain_head SET seq = _event.seq, at = _event.at, hash = _event.hash;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER significant_events_seal AFTER INSERT ON significant_events
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION seal_significant_event();

CREATE FUNCTION refuse_change_of_events() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  RAISE EXCEPTION '% only grows: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;
-- The trigger above works at a depth of 1.
CREATE TRIGGER significant_events_only_grow BEFORE UPDATE OR DELETE ON significant_events
FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_change_of_events();
CREATE TRIGGER significant_events_are_kept BEFORE TRUNCATE ON significant_events
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_events();
CREATE TRIGGER event_chain_head_only_grows BEFORE INSERT OR UPDATE OR DELETE ON event_chain_head
FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_change_of_events();
CREATE TRIGGER event_chain_head_is_kept BEFORE TRUNCATE ON event_chain_head
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_events();
