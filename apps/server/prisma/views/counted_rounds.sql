-- Shows the rounds that totals count: all but those whose bet the operator has refused. Such a
-- round is void, but nothing was taken or returned.
CREATE VIEW counted_rounds AS
SELECT *
FROM all_rounds r
WHERE r.wallet_state IS DISTINCT FROM 'void'
  OR NOT EXISTS (
    SELECT FROM all_wallet_transactions w
    WHERE w.round_id = r.id AND w.kind = 'debit' AND w.state = 'refused'
  );
