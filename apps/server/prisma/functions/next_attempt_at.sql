-- Returns when a failed credit or rollback is retried: after pauses of 1 s, 2 s, 5 s, 10 s, 30 s,
-- 1 min, 2 min, 5 min, 10 min, 30 min, then every hour. The pause depends on its age and not on the
-- number of attempts: a player who ends a round again and again must not delay recovery.
CREATE FUNCTION next_attempt_at(_created_at timestamptz, _now timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE
AS $$
  SELECT coalesce(
    (
      SELECT min(_created_at + make_interval(secs => s))
      -- The sums of the pauses, in seconds.
      FROM unnest(ARRAY[1, 3, 8, 18, 48, 108, 228, 528, 1128, 2928]) AS s
      WHERE _created_at + make_interval(secs => s) > _now
    ),
    _now + interval '1 hour'
  )
$$;
