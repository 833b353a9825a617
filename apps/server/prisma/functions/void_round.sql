-- Voids an open round: ends it without a payout. House wallet: it refunds the bet. Seamless wallet:
-- it stores a rollback, which recovery sends. The player has paid nothing for a free round.
--
-- outcome       | when                                      | what becomes of it
-- --------------|-------------------------------------------|------------------------
-- unknown       | the operator has no such round            | ERR_BNF, or the console
-- was_void      | the round is void                         | as void, or the console
-- settling      | the debit has no result yet               | ERR_GEN, or the console
-- was_completed | it is completed, or its credit is pending | ERR_VAL, or the console
-- void          | else                                      | the round is returned
CREATE FUNCTION void_round(_operator_id integer, _round_id bigint, _reason text) RETURNS text
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _now timestamptz;
  _round record;
  _paid bigint;
BEGIN
  _now := lock_players(ARRAY(
    SELECT r.player_id
    FROM all_rounds r
    JOIN accounts a ON a.id = r.account_id
    WHERE r.id = _round_id AND a.operator_id = _operator_id
  ));
  SELECT r.*, a.house_account_id,
    (r.opened_at AT TIME ZONE 'UTC')::date = (_now AT TIME ZONE 'UTC')::date AS is_of_today
  INTO _round
  FROM all_rounds r
  JOIN accounts a ON a.id = r.account_id
  WHERE r.id = _round_id AND a.operator_id = _operator_id;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  IF _round.wallet_state = 'void' THEN RETURN 'was_void'; END IF;
  IF _round.wallet_state = 'debit_pending' THEN RETURN 'settling'; END IF;
  IF _round.ended_at IS NOT NULL OR _round.wallet_state = 'credit_pending' THEN RETURN 'was_completed'; END IF;

  -- The bet goes back: the house pays it at once, an operator gets a rollback.
  _paid := CASE WHEN _round.grant_id IS NULL THEN _round.debit_micros ELSE 0 END;
  IF _round.wallet_state IS NULL THEN
    INSERT INTO transfers (kind, from_account_id, to_account_id, amount_micros, round_id, created_at)
    SELECT 'refund', _round.house_account_id, _round.account_id, _paid, _round_id, _now
    WHERE _paid > 0;
  ELSE
    INSERT INTO wallet_transactions (kind, round_id, amount_micros, reason, due_at, retry_until, created_at)
    VALUES ('rollback', _round_id, _paid, _reason, _now, _now + retry_period(), _now);
  END IF;
  -- A played round keeps its key, so that a repeated play does not become a new bet.
  UPDATE rounds
  SET wallet_state = 'void', ended_at = _now
  WHERE id = _round_id;
  PERFORM total_rounds(ARRAY[_round_id], _now);
  UPDATE accounts a
  SET balance_micros = a.balance_micros + _paid,
    wagered_today_micros = a.wagered_today_micros - CASE WHEN _round.is_of_today THEN _paid ELSE 0 END
  WHERE a.id = _round.account_id;
  PERFORM record_significant_event(
    'round_voided',
    'round ' || _round_id,
    jsonb_build_object('state', coalesce(_round.wallet_state::text, 'open'))::text,
    jsonb_build_object('state', 'void', 'reason', _reason)::text,
    -- The operator has done it, unless a user of the console has.
    (
      SELECT 'operator:' || code
      FROM operators
      WHERE id = _operator_id AND coalesce(current_setting('roundhouse.actor', true), '') !~ '^user:'
    ));
  RETURN 'void';
END
$$;

SELECT pin_plans('void_round');
