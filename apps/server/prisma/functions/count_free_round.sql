-- Counts a free round in its grant when it is completed or void, whichever function does it. A void
-- round goes back to its grant; a grant that is over gives it to nobody.
CREATE FUNCTION count_free_round() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  IF NEW.wallet_state = 'void' THEN
    UPDATE grants
    SET open_rounds = open_rounds - 1, used = used - 1, change_seq = NULL,
      "left" = "left" + (state IN ('offered', 'accepted'))::integer,
      expired = expired + (state = 'expired')::integer,
      cancelled = cancelled + (state IN ('cancelled', 'declined'))::integer
    WHERE id = NEW.grant_id;
  ELSE
    UPDATE grants
    SET open_rounds = open_rounds - 1, won_micros = won_micros + NEW.payout_micros, last_round_id = NEW.id,
      change_seq = NULL
    WHERE id = NEW.grant_id;
  END IF;
  PERFORM finish_grant(NEW.grant_id, NEW.ended_at);
  RETURN NULL;
END
$$;

CREATE TRIGGER count_free_round AFTER UPDATE ON rounds
FOR EACH ROW WHEN (NEW.grant_id IS NOT NULL AND OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL)
EXECUTE FUNCTION count_free_round();
