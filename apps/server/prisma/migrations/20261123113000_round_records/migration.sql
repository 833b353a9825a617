-- What a regulator wants in the record of a round, kept with the round.
-- country: where the session was when the round was opened; NULL when unknown, and of older rounds.
-- reported_balance_micros: what the operator's response said of the balance after the debit, credit or
-- rollback. No check limits it: one more would cost each play, and a figure that is not ours must not
-- keep a result from being stored.
DROP VIEW IF EXISTS completed_round_totals, all_rounds, all_wallet_transaction_details, wallet_transaction_details, all_wallet_transactions;

ALTER TABLE rounds ADD COLUMN country text;
ALTER TABLE archived_rounds ADD COLUMN country text;

ALTER TABLE wallet_transactions ADD COLUMN reported_balance_micros bigint;
ALTER TABLE archived_wallet_transactions ADD COLUMN reported_balance_micros bigint;
