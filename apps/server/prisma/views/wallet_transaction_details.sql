-- Shows wallet transactions with all that a request to the operator, a report or a comparison needs
-- of their round. A query plans only the tables whose columns it reads, because of LEFT JOIN. The
-- view has at most 7 tables: up to 8 the planner may reorder them all (join_collapse_limit = 8).
CREATE VIEW wallet_transaction_details AS
SELECT
  w.*,
  d.transaction_id AS debit_transaction_id,
  r.player_id,
  r.account_id,
  r.debit_micros,
  r.payout_micros,
  r.opened_at,
  r.grant_id,
  p.external_id,
  g.code AS game,
  a.currency,
  a.operator_id,
  o.code AS operator,
  o.wallet_timeout_ms,
  o.dialect
FROM wallet_transactions w
LEFT JOIN wallet_transactions d ON d.round_id = w.round_id AND d.kind = 'debit'
LEFT JOIN rounds r ON r.id = w.round_id
LEFT JOIN players p ON p.id = r.player_id
LEFT JOIN games g ON g.id = r.game_id
LEFT JOIN accounts a ON a.id = r.account_id
LEFT JOIN operators o ON o.id = a.operator_id;
