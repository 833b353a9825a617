-- Shows all wallet transactions, also archived ones.
CREATE VIEW all_wallet_transactions AS
SELECT * FROM wallet_transactions
UNION ALL
SELECT * FROM archived_wallet_transactions;
