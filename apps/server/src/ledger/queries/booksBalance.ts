import type { Database } from '../database.ts';

/** One thing that does not add up. subject names the row ("account 7", "round 12"). */
type Imbalance = { rule: string; subject: string; detail: string };

export type BooksBalance = { accounts: bigint; rounds: bigint; transfers: bigint; imbalances: Imbalance[] };

const MAX_IMBALANCES = 100;

/**
 * The proof over the whole database, in one snapshot: every balance is the sum of its transfers, every round has exactly the
 * movements that its state calls for, every movement is exact and stands between accounts of one operator and currency.
 */
export async function booksBalance(db: Database): Promise<BooksBalance> {
  return db.$transaction(
    async (tx) => {
      const [counts] = await tx.$queryRaw<Omit<BooksBalance, 'imbalances'>[]>`
        SELECT (SELECT count(*) FROM accounts) AS accounts, (SELECT count(*) FROM rounds) AS rounds,
          (SELECT count(*) FROM transfers) AS transfers`;
      const imbalances = await tx.$queryRawUnsafe<Imbalance[]>(`${RULES.join(' UNION ALL ')} LIMIT ${MAX_IMBALANCES}`);
      if (counts === undefined) throw new Error('the database counted nothing');
      return { ...counts, imbalances };
    },
    { isolationLevel: 'RepeatableRead', timeout: 3_600_000 },
  );
}

const RULES = [
  `SELECT 'a balance is the sum of its transfers' AS rule, 'account ' || a.id AS subject,
     'balance ' || a.balance_micros || ', transfers ' || coalesce(t.sum, 0) AS detail
   FROM accounts a
   LEFT JOIN (
     SELECT account_id, sum(amount) AS sum FROM (
       SELECT to_account_id AS account_id, amount_micros AS amount FROM transfers
       UNION ALL SELECT from_account_id, -amount_micros FROM transfers
     ) m GROUP BY account_id
   ) t ON t.account_id = a.id
   WHERE a.kind = 'player' AND a.balance_micros <> coalesce(t.sum, 0)`,

  `SELECT 'a round is debited exactly once', 'round ' || r.id,
     'debit ' || r.debit_micros || ', bet transfer ' || coalesce(b.amount_micros::text, 'none')
   FROM rounds r LEFT JOIN transfers b ON b.round_id = r.id AND b.kind = 'bet'
   WHERE b.id IS NULL OR b.amount_micros <> r.debit_micros OR b.from_account_id <> r.account_id`,

  `SELECT 'a completed round is paid exactly its payout, an open one nothing', 'round ' || r.id,
     'payout ' || r.payout_micros || CASE WHEN r.closed_at IS NULL THEN ' (open)' ELSE '' END
       || ', payout transfer ' || coalesce(p.amount_micros::text, 'none')
   FROM rounds r LEFT JOIN transfers p ON p.round_id = r.id AND p.kind = 'payout'
   WHERE coalesce(p.amount_micros, 0) <> CASE WHEN r.closed_at IS NULL THEN 0 ELSE r.payout_micros END
     OR p.to_account_id <> r.account_id`,

  `SELECT 'a transfer stands between accounts of one operator and currency, of the kinds that it calls for', 'transfer ' || t.id,
     t.kind || ' from ' || coalesce(f.kind::text, 'nowhere') || ' ' || coalesce(f.currency, '')
       || ' to ' || coalesce(e.kind::text, 'nowhere') || ' ' || coalesce(e.currency, '')
   FROM transfers t
   LEFT JOIN accounts f ON f.id = t.from_account_id
   LEFT JOIN accounts e ON e.id = t.to_account_id
   WHERE (f.operator_id = e.operator_id AND f.currency = e.currency AND (t.kind::text, f.kind::text, e.kind::text) IN (
     ('deposit', 'cashier', 'player'), ('withdrawal', 'player', 'cashier'), ('bet', 'player', 'house'), ('payout', 'house', 'player')
   )) IS NOT TRUE`,

  `SELECT 'a bet or payout belongs to a round', 'transfer ' || t.id, t.kind || ' names round ' || t.round_id
   FROM transfers t LEFT JOIN rounds r ON r.id = t.round_id WHERE t.round_id IS NOT NULL AND r.id IS NULL`,

  `SELECT 'a round belongs to a player, a session and a game version', 'round ' || r.id, 'one of them does not fit'
   FROM rounds r
   LEFT JOIN accounts a ON a.id = r.account_id
   LEFT JOIN sessions s ON s.id = r.session_id
   LEFT JOIN game_versions v ON v.id = r.game_version_id
   WHERE (a.player_id = r.player_id AND s.player_id = r.player_id AND v.game_id = r.game_id) IS NOT TRUE`,

  `SELECT 'a recorded event belongs to a round', 'round ' || e.round_id, 'event ' || e.seq
   FROM round_events e LEFT JOIN rounds r ON r.id = e.round_id WHERE r.id IS NULL`,

  `SELECT 'the sums of a day are those of its transfers', 'account ' || a.id,
     'wagered ' || a.wagered_today_micros || ' of ' || coalesce(t.wagered, 0) || ', won ' || a.won_today_micros || ' of ' || coalesce(t.won, 0)
   FROM accounts a
   LEFT JOIN (
     SELECT r.account_id, (m.created_at AT TIME ZONE 'UTC')::date AS day,
       sum(m.amount_micros) FILTER (WHERE m.kind = 'bet') AS wagered, sum(m.amount_micros) FILTER (WHERE m.kind = 'payout') AS won
     FROM transfers m JOIN rounds r ON r.id = m.round_id GROUP BY 1, 2
   ) t ON t.account_id = a.id AND t.day = a.counted_on
   WHERE a.counted_on IS NOT NULL AND (a.wagered_today_micros <> coalesce(t.wagered, 0) OR a.won_today_micros <> coalesce(t.won, 0))`,
];
