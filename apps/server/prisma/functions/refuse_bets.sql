-- Refuses bets that break the rules, and changes nothing. Only the database knows what comes before
-- the rules, and whether the same key has opened a round before, under other rules.
--
-- outcome      | when                                 | what becomes of it
-- -------------|--------------------------------------|-------------------
-- (judge_bets) | one of its outcomes before the rules | each has its code
-- replayed     | the key has opened round_id before   | play returns it
-- bet_refused  | else                                 | ERR_VAL
--
-- _amount stands for the debit, too: a bet that breaks the rules has no price, and the outcome of
-- the rules is not read.
CREATE FUNCTION refuse_bets(_session_row_id bigint[], _mode text[], _amount bigint[], _play_key text[])
RETURNS TABLE (ordinal bigint, outcome text, round_id bigint, balance_micros bigint)
LANGUAGE plpgsql STABLE
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT j.ordinal, coalesce(j.outcome_before_rules, 'bet_refused'), j.round_id, j.balance_micros
  FROM judge_bets(_session_row_id, _mode, _amount, _amount, '{}', _play_key, '{}', '{}', '{}',
    now(), (now() AT TIME ZONE 'UTC')::date, false) j;
END
$$;

SELECT pin_plans('refuse_bets');
