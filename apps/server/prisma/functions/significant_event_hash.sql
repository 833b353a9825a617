-- Returns the hash of an event: SHA-256 over the netstrings of its fields, in hexadecimal (decision
-- 019). A text is in UTF-8, NULL is `-,`. A third party can compute it from docs/audit.md;
-- src/store/watch/eventChain.ts does as well. The first field is the version of this form.
CREATE FUNCTION significant_event_hash(_event significant_events) RETURNS text
LANGUAGE sql STABLE
AS $$
  SELECT encode(sha256(convert_to(string_agg(
    coalesce(octet_length(convert_to(value, 'UTF8')) || ':' || value || ',', '-,'), '' ORDER BY place
  ), 'UTF8')), 'hex')
  FROM unnest(ARRAY[
    'roundhouse event 1', _event.seq::text, _event.id::text,
    to_char(_event.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    _event.actor, _event.kind, _event.subject, _event.value_before, _event.value_after, _event.previous_hash
  ]) WITH ORDINALITY AS field (value, place)
$$;
