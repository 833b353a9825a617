-- Moves rounds into the archive, with their events, transfers and wallet transactions. It looks at
-- the _most rounds with the lowest ids above _after, and takes those that were completed before
-- _ended_before and that no command needs or changes any more. A round stays where it is
--   while it is open, or one of its wallet transactions is pending or parked;
--   while its grant has not ended: the end pays with the round that was completed last;
--   while it is the last round of its account and game that is not void: authenticate, end-round
--     and the shortest time between two rounds read it, and a newer open round may become void;
--   while its session can repeat the play that has its key.
-- _move = false counts only. last_id is NULL when there are no rounds above _after.
-- decision 017: one statement does all, so every reader finds a round in one place. Two calls at
-- once move each round once.
CREATE FUNCTION archive_rounds(_after bigint, _ended_before timestamptz, _most integer, _move boolean)
RETURNS TABLE (last_id bigint, rounds bigint, round_events bigint, transfers bigint, wallet_transactions bigint)
LANGUAGE sql VOLATILE
AS $$
  WITH looked_at AS MATERIALIZED (
    SELECT *
    FROM rounds r
    WHERE r.id > _after
    ORDER BY r.id LIMIT _most
  ), chosen AS MATERIALIZED (
    SELECT r.id
    FROM looked_at r
    WHERE r.ended_at < _ended_before
      AND NOT EXISTS (SELECT 1 FROM wallet_transactions w WHERE w.round_id = r.id AND w.settled_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.id = r.grant_id AND g.ended_at IS NULL)
      AND EXISTS (
        SELECT 1
        FROM rounds n
        WHERE n.account_id = r.account_id AND n.game_id = r.game_id AND n.id > r.id
          AND n.ended_at IS NOT NULL AND n.wallet_state IS DISTINCT FROM 'void'
      )
      AND (
        r.play_key IS NULL
        OR NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = r.session_id AND s.expires_at > now())
      )
  ), gone AS (
    DELETE FROM rounds r
    USING chosen c
    WHERE _move AND r.id = c.id
    RETURNING r.*
  ), gone_events AS (
    DELETE FROM round_events e
    USING gone g
    WHERE e.round_id = g.id
    RETURNING e.*
  ), gone_transfers AS (
    DELETE FROM transfers t
    USING gone g
    WHERE t.round_id = g.id
    RETURNING t.*
  ), gone_wallet_transactions AS (
    DELETE FROM wallet_transactions w
    USING gone g
    WHERE w.round_id = g.id
    RETURNING w.*
  ), kept AS (
    INSERT INTO archived_rounds
    SELECT * FROM gone ORDER BY id
  ), kept_events AS (
    INSERT INTO archived_round_events
    SELECT * FROM gone_events
  ), kept_transfers AS (
    INSERT INTO archived_transfers
    SELECT * FROM gone_transfers ORDER BY id
  ), kept_wallet_transactions AS (
    INSERT INTO archived_wallet_transactions
    SELECT * FROM gone_wallet_transactions ORDER BY created_at
  )
  SELECT
    (SELECT max(id) FROM looked_at),
    (SELECT count(*) FROM chosen),
    (SELECT count(*) FROM gone_events),
    (SELECT count(*) FROM gone_transfers),
    (SELECT count(*) FROM gone_wallet_transactions)
$$;

SELECT pin_plans('archive_rounds');
