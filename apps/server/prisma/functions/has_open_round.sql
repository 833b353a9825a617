-- Returns whether a round of the account is open, in any game.
CREATE FUNCTION has_open_round(_account_id bigint) RETURNS boolean
LANGUAGE sql STABLE
AS $$
  SELECT EXISTS (SELECT FROM rounds WHERE account_id = _account_id AND ended_at IS NULL)
$$;
