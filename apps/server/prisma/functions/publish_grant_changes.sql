-- Numbers up to _limit changes of an operator's grants for its feed. One transaction at a time does
-- this for an operator, and takes the numbers under that lock. So they are committed in
-- order, and no reader skips one that is committed later. It leaves out a grant that is changing at
-- the moment: its transaction has no number yet, so a later call finds it.
CREATE FUNCTION publish_grant_changes(_operator_id integer, _limit integer) RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  PERFORM 1 FROM operators WHERE id = _operator_id FOR NO KEY UPDATE;
  UPDATE grants g
  SET change_seq = n.change_seq
  FROM (
    SELECT c.id, nextval('grant_changes') AS change_seq
    FROM (
      SELECT id
      FROM grants
      WHERE operator_id = _operator_id AND change_seq IS NULL
      ORDER BY id LIMIT _limit FOR UPDATE SKIP LOCKED
    ) c
  ) n
  WHERE g.id = n.id;
END
$$;
