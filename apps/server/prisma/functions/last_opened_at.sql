-- When the account's last round of this game was opened; void rounds do not count. NULL: never.
-- A function, because few commands ask: PostgreSQL prepares every subquery of a statement for each
-- run, and calls a function only when it is needed. Every caller pins its plans (pin_plans).
CREATE FUNCTION last_opened_at(_account_id bigint, _game_id integer) RETURNS timestamptz
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN (
    SELECT r.opened_at FROM newest_rounds(_account_id, _game_id) r WHERE r.wallet_state IS DISTINCT FROM 'void' LIMIT 1
  );
END
$$;
