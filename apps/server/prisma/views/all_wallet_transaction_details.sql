-- Shows wallet_transaction_details with archived ones, for reports and comparisons. A round is
-- archived together with all of its wallet transactions.
CREATE VIEW all_wallet_transaction_details AS
SELECT * FROM wallet_transaction_details
UNION ALL
SELECT
  w.*,
  d.transaction_id,
  r.player_id,
  r.account_id,
  r.debit_micros,
  r.payout_micros,
  r.opened_at,
  r.grant_id,
  p.external_id,
  g.code,
  a.currency,
  a.operator_id,
  o.code,
  o.wallet_timeout_ms,
  o.dialect
FROM archived_wallet_transactions w
LEFT JOIN archived_wallet_transactions d ON d.round_id = w.round_id AND d.kind = 'debit'
LEFT JOIN archived_rounds r ON r.id = w.round_id
LEFT JOIN players p ON p.id = r.player_id
LEFT JOIN games g ON g.id = r.game_id
LEFT JOIN accounts a ON a.id = r.account_id
LEFT JOIN operators o ON o.id = a.operator_id;
