-- Records the significant events of a round with a large bet or payout, or with which the bets of
-- the day become large. Returns the outcome of the round. A win is certain when its round opens,
-- unless the round becomes void. _wagered_today is the sum before the bet.
CREATE FUNCTION record_large_amounts(
  _round_id bigint, _account_id bigint, _debit bigint, _payout bigint, _today date, _wagered_today bigint
) RETURNS text
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _limits operator_limits;
  _round text := 'round ' || _round_id;
BEGIN
  SELECT l.* INTO STRICT _limits
  FROM accounts a
  JOIN operator_limits l ON l.operator_id = a.operator_id AND l.currency = a.currency
  WHERE a.id = _account_id;
  IF _debit >= _limits.large_bet_micros THEN
    PERFORM record_significant_event('large_bet', _round, NULL,
      jsonb_build_object('bet_micros', _debit, 'currency', _limits.currency, 'account', _account_id)::text);
  END IF;
  IF _payout >= _limits.large_win_micros THEN
    PERFORM record_significant_event('large_win', _round, NULL,
      jsonb_build_object('payout_micros', _payout, 'bet_micros', _debit,
        'currency', _limits.currency, 'account', _account_id)::text);
  END IF;
  IF _wagered_today < _limits.large_daily_wager_micros
    AND _wagered_today + _debit >= _limits.large_daily_wager_micros
  THEN
    PERFORM record_large_day('large_daily_wager', _account_id, _today, _wagered_today + _debit);
  END IF;
  RETURN 'opened';
END
$$;
