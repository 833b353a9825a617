-- Shows all transfers, also archived ones.
CREATE VIEW all_transfers AS
SELECT * FROM transfers
UNION ALL
SELECT * FROM archived_transfers;
