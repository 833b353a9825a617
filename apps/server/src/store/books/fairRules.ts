/**
 * These are the rules of booksBalance for fair draws. A server seed gives each nonce once and
 * leaves none out, so a player who has all rounds of it knows that none is hidden.
 */
export const FAIR_RULES = [
  `SELECT 'a server seed gives each nonce once, and leaves none out', 'server seed ' || coalesce(s.id, r.seed_id),
     'nonces ' || coalesce(s.used::text, 'unknown')
       || ', rounds ' || coalesce(r.rounds, 0)
       || coalesce(', nonces from ' || r.first || ' to ' || r.last, '')
   FROM (
     SELECT f.id, coalesce(f.nonces, CASE WHEN a.fair_seed_id = f.id THEN a.fair_nonce ELSE 0 END) AS used
     FROM fair_seeds f
     LEFT JOIN accounts a ON a.id = f.account_id
   ) s
   FULL JOIN (
     SELECT fair_seed_id AS seed_id, count(*) AS rounds, count(DISTINCT fair_nonce) AS nonces,
       min(fair_nonce) AS first, max(fair_nonce) AS last
     FROM all_rounds
     WHERE fair_seed_id IS NOT NULL OR fair_nonce IS NOT NULL
     GROUP BY fair_seed_id
   ) r ON r.seed_id = s.id
   WHERE CASE
     WHEN r.rounds IS NULL THEN s.used = 0
     ELSE r.rounds = s.used AND r.nonces = s.used AND r.first = 0 AND r.last = s.used - 1
   END IS NOT TRUE`,

  `SELECT 'a fair round has a server seed of its account, and a client seed', 'round ' || r.id,
     'account ' || r.account_id || ', server seed ' || r.fair_seed_id || coalesce(' of account ' || s.account_id, '')
       || ', nonce ' || coalesce(r.fair_nonce::text, 'none')
   FROM all_rounds r
   LEFT JOIN fair_seeds s ON s.id = r.fair_seed_id
   LEFT JOIN (
     SELECT seed_id, min(from_nonce) AS first
     FROM fair_client_seeds
     GROUP BY seed_id
   ) c ON c.seed_id = r.fair_seed_id
   WHERE r.fair_seed_id IS NOT NULL AND (s.account_id = r.account_id AND c.first <= r.fair_nonce) IS NOT TRUE`,

  // The last seed of an account is committed, and the one before it is in use.
  `SELECT 'an account draws by its own seeds, and has revealed the earlier ones', 'account ' || a.id,
     'server seed ' || coalesce(a.fair_seed_id::text, 'none') || coalesce(' of account ' || s.account_id, '')
       || ', client seed ' || coalesce(a.fair_client_seed_id::text, 'none') || ', hidden ' || coalesce(h.hidden, 0)
   FROM accounts a
   LEFT JOIN fair_seeds s ON s.id = a.fair_seed_id
   LEFT JOIN fair_client_seeds c ON c.id = a.fair_client_seed_id
   LEFT JOIN (
     SELECT account_id, count(*) FILTER (WHERE revealed_at IS NULL) AS hidden, max(seq) AS last, count(*) AS seeds
     FROM fair_seeds
     GROUP BY account_id
   ) h ON h.account_id = a.id
   WHERE (CASE
     WHEN a.fair_seed_id IS NULL
       THEN coalesce(h.hidden, 0) = 0 AND a.fair_nonce IS NULL AND a.fair_client_seed_id IS NULL
     ELSE s.account_id = a.id AND s.revealed_at IS NULL AND s.seq = h.last - 1
       AND h.hidden = 2 AND h.seeds = h.last AND a.fair_nonce >= 0
       AND CASE
         WHEN a.fair_client_seed_id IS NULL THEN a.fair_nonce = 0
         ELSE c.seed_id = s.id AND c.from_nonce <= a.fair_nonce
       END
   END) IS NOT TRUE`,
];
