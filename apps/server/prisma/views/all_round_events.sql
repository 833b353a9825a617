-- Shows all events of rounds, also archived ones.
CREATE VIEW all_round_events AS
SELECT * FROM round_events
UNION ALL
SELECT * FROM archived_round_events;
