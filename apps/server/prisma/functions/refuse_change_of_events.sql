-- The log of significant events only grows (decision 019).
CREATE FUNCTION refuse_change_of_events() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  RAISE EXCEPTION '% only grows: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;

-- seal_significant_event works at a depth of 1.
CREATE TRIGGER significant_events_only_grow BEFORE UPDATE OR DELETE ON significant_events
FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_change_of_events();
CREATE TRIGGER significant_events_are_kept BEFORE TRUNCATE ON significant_events
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_events();
CREATE TRIGGER event_chain_head_only_grows BEFORE INSERT OR UPDATE OR DELETE ON event_chain_head
FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_change_of_events();
CREATE TRIGGER event_chain_head_is_kept BEFORE TRUNCATE ON event_chain_head
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_events();
