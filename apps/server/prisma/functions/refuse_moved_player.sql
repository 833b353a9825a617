-- Refuses a new account of a player who has moved to another cell (decision 032). A caller that
-- opens an account has found the player here before; this lock waits for a move that ends in
-- between, and sees its result.
CREATE FUNCTION refuse_moved_player() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
  _moved_to integer;
BEGIN
  SELECT moved_to INTO _moved_to
  FROM players
  WHERE id = NEW.player_id
  FOR KEY SHARE;
  IF _moved_to IS NOT NULL THEN
    RAISE EXCEPTION 'player % has moved to cell %', NEW.player_id, _moved_to;
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER accounts_of_players_here BEFORE INSERT ON accounts
FOR EACH ROW WHEN (NEW.player_id IS NOT NULL) EXECUTE FUNCTION refuse_moved_player();
