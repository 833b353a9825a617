-- What the player had just before the bet, where the house wallet keeps the money: so that a list of
-- rounds need not add up all transfers. NULL in the wallet of an operator, and of rounds that an
-- earlier version opened: filling those would write every round anew.
DROP VIEW IF EXISTS completed_round_totals, all_rounds;

ALTER TABLE rounds ADD COLUMN balance_before_micros bigint;
ALTER TABLE archived_rounds ADD COLUMN balance_before_micros bigint;
