-- Completes one open round, as complete_rounds does when it is due: a person has decided that its
-- player does not come back. The book decides the payout. House wallet: it credits the payout.
-- Seamless wallet: it stores the credit, which recovery sends.
--
-- outcome          | when                                              | what becomes of it
-- -----------------|---------------------------------------------------|----------------------
-- unknown          | there is no such round                            | the console: conflict
-- void             | the round is void                                 | the console: conflict
-- settling         | the debit has no result yet                       | the console: conflict
-- was_completed    | it is completed, or its credit is pending         | the console: conflict
-- forbidden        | the wallet lets only the player complete it       | the console: conflict
-- balance_overflow | the balance cannot hold the payout; it stays open | the console: conflict
-- completed        | else                                              | the console: done
CREATE FUNCTION complete_round(_round_id bigint, _reason text) RETURNS text
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _now timestamptz;
  _round record;
  _credit_id uuid;
BEGIN
  _now := lock_players(ARRAY(SELECT r.player_id FROM all_rounds r WHERE r.id = _round_id));
  SELECT r.*, coalesce(r.credit_micros, r.payout_micros) AS owed,
    a.ctid AS account_ctid, a.house_account_id, a.balance_micros, o.completes_rounds
  INTO _round
  FROM all_rounds r
  JOIN accounts a ON a.id = r.account_id
  JOIN operators o ON o.id = a.operator_id
  WHERE r.id = _round_id;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  IF _round.wallet_state = 'void' THEN RETURN 'void'; END IF;
  IF _round.wallet_state = 'debit_pending' THEN RETURN 'settling'; END IF;
  IF _round.ended_at IS NOT NULL OR _round.wallet_state = 'credit_pending' THEN RETURN 'was_completed'; END IF;
  IF NOT _round.completes_rounds THEN RETURN 'forbidden'; END IF;
  IF _round.balance_micros > 9007199254740991 - _round.owed THEN RETURN 'balance_overflow'; END IF;

  _credit_id := CASE WHEN _round.wallet_state IS NOT NULL THEN wallet_transaction_id() END;
  PERFORM finish_rounds(
    _account_ctid => ARRAY[_round.account_ctid],
    _round_id => ARRAY[_round_id],
    _house_account_id => ARRAY[_round.house_account_id],
    _payout => ARRAY[CASE WHEN _credit_id IS NULL THEN _round.owed ELSE 0 END],
    _won => ARRAY[CASE WHEN _credit_id IS NULL AND _round.grant_id IS NULL THEN _round.owed ELSE 0 END],
    _credit_id => ARRAY[_credit_id],
    _due_at => ARRAY[_now],
    _session_id => ARRAY[NULL::bigint],
    _now => _now,
    _auto_completed_at => _now);
  PERFORM record_significant_event(
    'round_completed',
    'round ' || _round_id,
    jsonb_build_object('state', coalesce(_round.wallet_state::text, 'open'))::text,
    jsonb_build_object(
      'state', CASE WHEN _credit_id IS NULL THEN 'completed' ELSE 'credit_pending' END,
      'credit_micros', _round.owed,
      'reason', _reason
    )::text);
  RETURN 'completed';
END
$$;

SELECT pin_plans('complete_round');
