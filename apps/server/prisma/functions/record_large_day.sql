-- Records that an account's bets or wins of the day (UTC) have reached the amount of its operator:
-- one event for each day and kind. A void bet lowers the sum, which may then reach the amount
-- again. The caller holds the lock of the account.
CREATE FUNCTION record_large_day(_kind text, _account_id bigint, _day date, _sum bigint) RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  _subject text;
  _currency text;
BEGIN
  SELECT concat('account ', a.id, ' of player ', p.external_id, ' of operator ', o.code, ' on ', _day), a.currency
  INTO STRICT _subject, _currency
  FROM accounts a
  JOIN players p ON p.id = a.player_id
  JOIN operators o ON o.id = a.operator_id
  WHERE a.id = _account_id;
  -- The query spells out the kinds, because the index has only these.
  IF EXISTS (
    SELECT FROM significant_events
    WHERE kind = _kind AND subject = _subject AND kind IN ('large_daily_wager', 'large_daily_win')
  ) THEN
    RETURN;
  END IF;
  PERFORM record_significant_event(_kind, _subject, NULL,
    jsonb_build_object(
      CASE _kind WHEN 'large_daily_wager' THEN 'bets_micros' ELSE 'wins_micros' END, _sum,
      'currency', _currency
    )::text);
END
$$;
