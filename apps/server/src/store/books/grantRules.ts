/**
 * The laws of free rounds, for books-balance: SQL that selects the rule, the row and what is wrong.
 */
export const GRANT_RULES = [
  `SELECT 'a grant counts its rounds and what they pay', 'grant ' || g.id,
     'used ' || g.used || ' of ' || coalesce(r.used, 0) || ', open ' || g.open_rounds || ' of ' || coalesce(r.open, 0)
       || ', won ' || g.won_micros || ' of ' || coalesce(r.won, 0)
   FROM grants g
   LEFT JOIN (
     SELECT grant_id, count(*) FILTER (WHERE NOT is_void) AS used, count(*) FILTER (WHERE ended_at IS NULL) AS open,
       sum(payout_micros) FILTER (WHERE ended_at IS NOT NULL AND NOT is_void) AS won
     FROM (SELECT *, wallet_state IS NOT DISTINCT FROM 'void' AS is_void FROM all_rounds WHERE grant_id IS NOT NULL) f
     GROUP BY grant_id
   ) r ON r.grant_id = g.id
   WHERE (g.used, g.open_rounds, g.won_micros)
     IS DISTINCT FROM (coalesce(r.used, 0), coalesce(r.open, 0), coalesce(r.won, 0))`,

  `SELECT 'the rounds of a grant are used, left, expired or cancelled, as its state says', 'grant ' || g.id,
     g.state || ', given ' || g.given || ', used ' || g.used || ', left ' || g."left"
       || ', expired ' || g.expired || ', cancelled ' || g.cancelled
   FROM grants g
   WHERE NOT (g.given = g.used + g."left" + g.expired + g.cancelled AND g.given > 0
     AND least(g.used, g."left", g.expired, g.cancelled) >= 0
     AND CASE g.state
       WHEN 'offered' THEN g.used = 0 AND g.expired = 0 AND g.cancelled = 0
       WHEN 'accepted' THEN g.expired = 0 AND g.cancelled = 0
       WHEN 'finished' THEN g.used = g.given
       WHEN 'expired' THEN g."left" = 0 AND g.cancelled = 0
       ELSE g."left" = 0 AND g.expired = 0
     END)`,

  // Winnings that the balance of the house wallet cannot hold wait, and the grant with them.
  `SELECT 'a grant has ended exactly when nothing is left and no round is open', 'grant ' || g.id,
     g.state || ', left ' || g."left" || ', open ' || g.open_rounds || coalesce(', ended ' || g.ended_at, ', not ended')
   FROM grants g
   JOIN accounts a ON a.id = g.account_id
   WHERE CASE
     WHEN g.ended_at IS NULL
       THEN g."left" = 0 AND g.open_rounds = 0
         AND NOT (g.paid_at_end AND g.won_micros > 0 AND a.balance_micros IS NOT NULL)
     ELSE g."left" > 0 OR g.open_rounds > 0 OR g.state IN ('offered', 'accepted')
   END`,

  `SELECT 'the last round of a grant is one that it has completed', 'grant ' || g.id,
     'last round ' || coalesce(g.last_round_id::text, 'none') || ', completed ' || g.used - g.open_rounds
   FROM grants g
   LEFT JOIN all_rounds r ON r.id = g.last_round_id
   WHERE (CASE
     WHEN g.last_round_id IS NULL THEN g.used = g.open_rounds
     ELSE r.grant_id = g.id AND r.ended_at IS NOT NULL AND r.wallet_state IS DISTINCT FROM 'void'
   END) IS NOT TRUE`,

  `SELECT 'the winnings of a grant are paid once, at its end, exactly',
     coalesce('grant ' || g.id, 'round ' || w.round_id),
     'won ' || coalesce(g.won_micros::text, 'nothing') || ', last round ' || coalesce(g.last_round_id::text, 'none')
       || coalesce(', ended ' || g.ended_at, '') || ', winnings '
       || coalesce(w.amount_micros || ' of ' || w.created_at || ' with round ' || w.round_id, 'none')
   FROM (
     SELECT g.*, a.balance_micros IS NOT NULL AS is_house
     FROM grants g
     JOIN accounts a ON a.id = g.account_id
     WHERE g.paid_at_end AND g.ended_at IS NOT NULL AND g.won_micros > 0
   ) g
   FULL JOIN (
     SELECT round_id, amount_micros, created_at, to_account_id
     FROM all_transfers
     WHERE kind = 'winnings'
     UNION ALL
     SELECT round_id, amount_micros, created_at, NULL
     FROM all_wallet_transactions
     WHERE kind = 'winnings'
   ) w ON w.round_id = g.last_round_id
   WHERE (w.amount_micros = g.won_micros AND w.created_at = g.ended_at
     AND w.to_account_id IS NOT DISTINCT FROM CASE WHEN g.is_house THEN g.account_id END) IS NOT TRUE`,

  `SELECT 'a free round is one of its grant, and no other round says what its end pays', 'round ' || r.id,
     coalesce('grant ' || r.grant_id, 'no grant') || ': account ' || r.account_id || ', mode ' || r.mode
       || ', amount ' || r.amount_micros || ', opened ' || r.opened_at
       || ', its end pays ' || coalesce(r.credit_micros::text, 'the payout')
   FROM all_rounds r
   LEFT JOIN grants g ON g.id = r.grant_id
   WHERE (CASE
     WHEN r.grant_id IS NULL THEN r.credit_micros IS NULL
     ELSE (r.account_id, r.mode, r.amount_micros) = (g.account_id, g.mode, g.amount_micros)
       AND r.game_id = ANY (g.game_ids)
       AND r.opened_at >= g.starts_at AND r.opened_at < g.expires_at
       AND r.credit_micros IS NOT DISTINCT FROM CASE WHEN g.paid_at_end THEN 0 END
   END) IS NOT TRUE`,

  `SELECT 'a grant is that of a player of its operator, and what its campaign gives', 'grant ' || g.id,
     'operator ' || g.operator_id || ', account ' || g.account_id || coalesce(', campaign ' || g.campaign_id, '')
       || ': ' || g.given || ' of ' || g.mode || ', ' || g.amount_micros
   FROM grants g
   LEFT JOIN accounts a ON a.id = g.account_id
   LEFT JOIN campaigns c ON c.id = g.campaign_id
   WHERE (
     a.kind = 'player' AND a.operator_id = g.operator_id
     AND (
       g.campaign_id IS NULL
       OR (
         (c.operator_id, c.game_ids, c.mode, c.rounds, c.automatic, c.paid_at_end)
           = (g.operator_id, g.game_ids, g.mode, g.given, g.automatic, g.paid_at_end)
         AND (c.bets ->> a.currency)::bigint = g.amount_micros
       )
     )
   ) IS NOT TRUE`,

  `SELECT 'a play of an account with an open automatic grant takes its rounds', 'account ' || a.id,
     'grant ' || g.id || ' is automatic'
   FROM grants g
   JOIN accounts a ON a.id = g.account_id
   WHERE g.automatic AND g.state IN ('offered', 'accepted') AND g."left" > 0 AND NOT a.has_automatic_grant`,

  // No transfer marks the place of a free round, so its balance is any of those that the account
  // had between the bets of the paid rounds before and after it.
  `SELECT 'the balance before a free round is one of its account at that time', 'round ' || r.id,
     'balance before ' || coalesce(r.balance_before_micros::text, 'none')
   FROM (
     SELECT r.*,
       coalesce(
         max(r.id) FILTER (WHERE r.grant_id IS NULL) OVER (PARTITION BY r.account_id ORDER BY r.id), 0
       ) AS last_paid
     FROM all_rounds r
     JOIN accounts a ON a.id = r.account_id
     WHERE a.balance_micros IS NOT NULL AND a.id IN (SELECT account_id FROM grants)
   ) r
   LEFT JOIN (
     SELECT id AS account_id, 0 AS balance, 0 AS last_paid FROM accounts
     UNION
     SELECT a.id, sum(CASE WHEN t.to_account_id = a.id THEN t.amount_micros ELSE -t.amount_micros END) OVER w,
       coalesce(max(t.round_id) FILTER (WHERE t.kind = 'bet') OVER w, 0)
     FROM all_transfers t
     JOIN accounts a ON a.id = CASE WHEN t.kind IN ('bet', 'withdrawal') THEN t.from_account_id ELSE t.to_account_id END
     WHERE a.id IN (SELECT account_id FROM grants)
     WINDOW w AS (PARTITION BY a.id ORDER BY t.id)
   ) m ON (m.account_id, m.balance, m.last_paid) = (r.account_id, r.balance_before_micros, r.last_paid)
   WHERE r.grant_id IS NOT NULL AND m.account_id IS NULL`,
];
