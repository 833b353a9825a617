-- Shows the seeds by which the next fair draw of an account is made. The client columns are NULL
-- until its player has set a client seed. An account without seeds has no row.
CREATE VIEW fair_states AS
SELECT
  a.id AS account_id,
  s.id AS seed_id,
  s.server_seed_sha256,
  s.sealed_server_seed,
  n.server_seed_sha256 AS next_sha256,
  a.fair_client_seed_id AS client_seed_id,
  c.client_seed,
  a.fair_nonce AS nonce
FROM accounts a
JOIN fair_seeds s ON s.id = a.fair_seed_id
JOIN fair_seeds n ON n.account_id = a.id AND n.seq = s.seq + 1
LEFT JOIN fair_client_seeds c ON c.id = a.fair_client_seed_id;
