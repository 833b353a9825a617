-- Shows all rounds, also archived ones. Plays read and write the table itself.
CREATE VIEW all_rounds AS
SELECT * FROM rounds
UNION ALL
SELECT * FROM archived_rounds;
