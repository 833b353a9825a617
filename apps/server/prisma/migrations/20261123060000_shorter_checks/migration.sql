-- The same rules of wallet transactions in fewer and shorter checks: PostgreSQL parses the stored
-- text of every check for each statement that writes the table. A list in one literal is one node of
-- that text, IN has a node for each member. What went into another check:
--   only_a_credit_may_be_zero: amount_in_range
--   detail_of_a_result: result_has_time
--   settled_has_time: settled_has_settler, with state_agrees_with_result
-- Each table is read once, and locked meanwhile.
DO $$
DECLARE
  _table text;
BEGIN
  FOREACH _table IN ARRAY '{wallet_transactions,archived_wallet_transactions}'::text[] LOOP
    EXECUTE format($sql$
      ALTER TABLE %I
        DROP CONSTRAINT wallet_transactions_amount_in_range,
        DROP CONSTRAINT wallet_transactions_only_a_credit_may_be_zero,
        DROP CONSTRAINT wallet_transactions_result_code_known,
        DROP CONSTRAINT wallet_transactions_result_has_time,
        DROP CONSTRAINT wallet_transactions_http_status_of_a_response,
        DROP CONSTRAINT wallet_transactions_detail_of_a_result,
        DROP CONSTRAINT wallet_transactions_settled_has_time,
        DROP CONSTRAINT wallet_transactions_settled_has_settler,
        DROP CONSTRAINT wallet_transactions_note_of_a_person,
        DROP CONSTRAINT wallet_transactions_state_agrees_with_result,
        ADD CONSTRAINT wallet_transactions_amount_in_range
          CHECK (amount_micros BETWEEN (kind <> 'credit')::integer AND 9007199254740991),
        ADD CONSTRAINT wallet_transactions_result_code_known CHECK (result_code = ANY ('{
          accepted, ERR_VAL, ERR_IPB, ERR_IS, ERR_ATE, ERR_GLE, ERR_LOC, ERR_MAINTENANCE, ERR_DUP, ERR_BNF, ERR_GE, ERR_UE,
          invalid_response, timeout, connection_failed, not_sent, node_lost}'::text[])),
        ADD CONSTRAINT wallet_transactions_result_has_time CHECK (CASE
          WHEN result_code IS NULL THEN (result_at, http_status, result_detail) IS NULL
          ELSE result_at IS NOT NULL
        END),
        ADD CONSTRAINT wallet_transactions_http_status_of_a_response CHECK (http_status IS NULL OR (http_status BETWEEN 100 AND 599
          AND result_code <> ALL ('{timeout, connection_failed, not_sent, node_lost}'::text[]))),
        ADD CONSTRAINT wallet_transactions_settled_has_settler CHECK ((settled_by IS NULL) = (settled_at IS NULL)),
        ADD CONSTRAINT wallet_transactions_note_of_a_person
          CHECK ((settlement_note IS NULL) = (settled_by IS DISTINCT FROM 'person')),
        ADD CONSTRAINT wallet_transactions_state_agrees_with_result CHECK ((CASE state
          WHEN 'accepted' THEN settled_by = 'person'
            OR (settled_by = 'operator' AND (result_code = 'accepted' OR (kind = 'rollback' AND result_code = 'ERR_BNF')))
          WHEN 'refused' THEN kind = 'debit' AND settled_by = 'operator'
            AND result_code <> ALL ('{accepted, ERR_UE, invalid_response, timeout, connection_failed, node_lost}'::text[])
          WHEN 'abandoned' THEN kind = 'debit' AND CASE settled_by
            WHEN 'operator' THEN result_code = ANY ('{ERR_UE, invalid_response, timeout, connection_failed}'::text[])
            WHEN 'recovery' THEN result_code = 'node_lost'
          END
          ELSE settled_by IS NULL
        END) IS TRUE)
    $sql$, _table);
  END LOOP;
END
$$;
