import type { Database } from './database.ts';

/** A broken rule. `subject` names the row ("account 7", "transaction 12"). */
type Imbalance = { rule: string; subject: string; detail: string };

export type LedgerCheck = { accounts: bigint; transactions: bigint; imbalances: Imbalance[] };

const MAX_IMBALANCES = 100;

/**
 * Checks the whole ledger in one snapshot. Constraints enforce the other rules: amounts in range,
 * each id once, no balance below zero.
 */
export async function checkLedger(db: Database): Promise<LedgerCheck> {
  return db.$transaction(
    async (tx) => {
      const [counts] = await tx.$queryRaw<Omit<LedgerCheck, 'imbalances'>[]>`
        SELECT (SELECT count(*) FROM accounts) AS accounts, (SELECT count(*) FROM transactions) AS transactions`;
      const imbalances = await tx.$queryRawUnsafe<Imbalance[]>(`${RULES.join(' UNION ALL ')} LIMIT ${MAX_IMBALANCES}`);
      if (counts === undefined) throw new Error('the database counted nothing');
      return { ...counts, imbalances };
    },
    { isolationLevel: 'RepeatableRead', timeout: 600_000 },
  );
}

const RULES = [
  `SELECT 'a balance is the sum of its entries' AS rule, 'account ' || a.id AS subject,
     'balance ' || a.balance_micros || ', entries ' || coalesce(e.sum, 0) AS detail
   FROM accounts a
   LEFT JOIN (
     SELECT account_id, sum(amount) AS sum
     FROM (
       SELECT to_account_id AS account_id, amount_micros AS amount FROM transactions
       UNION ALL
       SELECT from_account_id, -amount_micros FROM transactions
     ) m
     GROUP BY account_id
   ) e ON e.account_id = a.id
   WHERE a.kind = 'player' AND a.balance_micros <> coalesce(e.sum, 0)`,

  `SELECT 'the balance after an entry is the sum up to it', 'transaction ' || m.id,
     m.balance_after_micros || ' of ' || m.running
   FROM (
     SELECT id, balance_after_micros,
       sum(CASE WHEN from_account_id = player_account_id THEN -amount_micros ELSE amount_micros END)
         OVER (PARTITION BY player_account_id ORDER BY id) AS running
     FROM transactions
   ) m
   WHERE m.balance_after_micros <> m.running`,

  `SELECT 'a transaction has the accounts of its kind, in one currency', 'transaction ' || m.id,
     m.kind || ' from ' || f.kind || ' ' || f.currency || ' to ' || t.kind || ' ' || t.currency
   FROM transactions m
   JOIN accounts f ON f.id = m.from_account_id
   JOIN accounts t ON t.id = m.to_account_id
   WHERE f.currency <> t.currency OR (m.kind::text, f.kind::text, t.kind::text) NOT IN (
     ('deposit', 'cashier', 'player'),
     ('withdrawal', 'player', 'cashier'),
     ('debit', 'player', 'house'),
     ('credit', 'house', 'player'),
     ('rollback', 'house', 'player')
   )`,

  `SELECT 'a bet has the entries of its state', 'bet ' || b.debit_id,
     b.state || ': ' || e.debits || ' debits, ' || e.credits || ' credits, ' || e.closes || ' of them closing, '
       || e.rollbacks || ' rollbacks, ' || e.returns || ' of them with money, ' || e.winnings || ' winnings'
   FROM bets b
   CROSS JOIN LATERAL (
     SELECT
       (SELECT count(*) FROM transactions WHERE transaction_id = b.debit_id AND kind = 'debit') AS debits,
       (
         SELECT count(*)
         FROM transactions
         WHERE transaction_id = b.debit_id AND kind = 'debit' AND amount_micros > 0
       ) AS paid,
       count(*) FILTER (WHERE kind = 'credit' AND NOT grant_closed) AS credits,
       count(*) FILTER (WHERE kind = 'credit' AND NOT grant_closed AND round_closed) AS closes,
       count(*) FILTER (WHERE grant_closed) AS winnings,
       count(*) FILTER (WHERE kind = 'rollback') AS rollbacks,
       count(*) FILTER (WHERE kind = 'rollback' AND amount_micros > 0) AS returns
     FROM transactions
     WHERE debit_id = b.debit_id
   ) e
   WHERE NOT CASE b.state
     WHEN 'barred' THEN e.debits = 0 AND e.credits + e.winnings = 0 AND e.returns = 0
     WHEN 'open' THEN e.debits = 1 AND e.credits = 0 AND e.rollbacks = 0
     WHEN 'credited' THEN e.debits = 1 AND e.credits > 0 AND e.closes = 0 AND e.rollbacks = 0
     WHEN 'closed' THEN e.debits = 1 AND e.closes = 1 AND e.rollbacks = 0
     WHEN 'rolled_back'
       THEN e.debits = 1 AND e.credits + e.winnings = 0 AND e.rollbacks > 0 AND e.returns = e.paid
   END`,

  `SELECT 'a debit has a bet, and its credits and rollback are of the same account, round and grant',
     'transaction ' || m.id, m.kind::text
   FROM transactions m
   LEFT JOIN bets b ON b.debit_id = coalesce(m.debit_id, m.transaction_id)
   LEFT JOIN transactions d ON d.transaction_id = m.debit_id AND d.kind = 'debit'
   WHERE m.kind IN ('debit', 'credit', 'rollback') AND (b.debit_id IS NULL
     OR (d.id IS NOT NULL AND (d.player_account_id <> m.player_account_id OR d.round_id <> m.round_id))
     OR (m.kind = 'credit' AND d.grant_id IS DISTINCT FROM m.grant_id)
     OR (m.kind = 'rollback' AND m.amount_micros > 0 AND m.amount_micros IS DISTINCT FROM d.amount_micros))`,

  `SELECT 'a round of the dialect has a debit, and all of its entries are of its player', 'round ' || r.round_id,
     e.debits || ' debits, ' || e.others || ' entries of others'
   FROM engine_rounds r
   JOIN sessions s ON s.session_sha256 = r.session_sha256
   CROSS JOIN LATERAL (
     SELECT count(*) FILTER (WHERE kind = 'debit') AS debits,
       count(*) FILTER (WHERE player_account_id <> s.account_id) AS others
     FROM transactions
     WHERE round_id = r.round_id
   ) e
   WHERE e.debits = 0 OR e.others > 0`,
];
