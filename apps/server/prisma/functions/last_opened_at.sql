-- Returns when the account's last round of this game was opened; NULL means never. Void rounds do
-- not count. Every caller pins its plans (pin_plans).
-- decision 002: it is a function because few commands need it. PostgreSQL prepares every subquery
-- for each run, but calls a function only when needed.
CREATE FUNCTION last_opened_at(_account_id bigint, _game_id integer) RETURNS timestamptz
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN (
    SELECT r.opened_at
    FROM newest_rounds(_account_id, _game_id) r
    WHERE r.wallet_state IS DISTINCT FROM 'void'
    LIMIT 1
  );
END
$$;
