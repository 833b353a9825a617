import type { Database } from '../database/database.ts';
import { FAIR_RULES } from './fairRules.ts';
import { GRANT_RULES } from './grantRules.ts';

/** A place where the books do not add up. subject names the row ("account 7", "round 12"). */
type Imbalance = { rule: string; subject: string; detail: string };

export type BooksBalance = {
  accounts: bigint;
  rounds: bigint;
  transfers: bigint;
  walletTransactions: bigint;
  imbalances: Imbalance[];
};

const MAX_IMBALANCES = 100;

/**
 * Proves the books over the whole database, in one snapshot: every balance is the sum of its
 * transfers, every round has exactly the transfers or wallet transactions that its state calls for,
 * each of the right amount and time and between accounts of one operator and currency. Where the
 * operator keeps the money, every debit has exactly one outcome: credited, completed at zero,
 * rolled back, refused, or not settled yet. A grant counts its free rounds, which cost their player
 * nothing, and pays what they won. A server seed of fair draws gives each nonce once, without gaps.
 */
export async function booksBalance(db: Database): Promise<BooksBalance> {
  return db.$transaction(
    async (tx) => {
      // Each rule reads whole tables. On tables that nobody has analysed yet the planner takes them
      // for small, and nested loops over 60,000 rounds take minutes instead of a second.
      await tx.$executeRaw`SET LOCAL enable_nestloop = off`;
      // The proof uses one core: players need the others, and more cores hardly make it faster.
      await tx.$executeRaw`SET LOCAL max_parallel_workers_per_gather = 0`;
      const [counts] = await tx.$queryRaw<Omit<BooksBalance, 'imbalances'>[]>`
        SELECT
          (SELECT count(*) FROM accounts) AS accounts,
          (SELECT count(*) FROM all_rounds) AS rounds,
          (SELECT count(*) FROM all_transfers) AS transfers,
          (SELECT count(*) FROM all_wallet_transactions) AS "walletTransactions"`;
      const imbalances = await tx.$queryRawUnsafe<Imbalance[]>(
        `${[...RULES, ...GRANT_RULES, ...FAIR_RULES].join(' UNION ALL ')} LIMIT ${MAX_IMBALANCES}`,
      );
      if (counts === undefined) throw new Error('the database counted nothing');
      return { ...counts, imbalances };
    },
    { isolationLevel: 'RepeatableRead', timeout: 3_600_000 },
  );
}

/** What a round costs its player, and what its end credits. */
const PAID = 'CASE WHEN r.grant_id IS NULL THEN r.debit_micros ELSE 0 END';
const CREDITED = 'coalesce(r.credit_micros, r.payout_micros)';

const RULES = [
  `SELECT 'a balance is the sum of its transfers' AS rule, 'account ' || a.id AS subject,
     'balance ' || a.balance_micros || ', transfers ' || coalesce(t.sum, 0) AS detail
   FROM accounts a
   LEFT JOIN (
     SELECT account_id, sum(amount) AS sum
     FROM (
       SELECT to_account_id AS account_id, amount_micros AS amount FROM all_transfers
       UNION ALL
       SELECT from_account_id, -amount_micros FROM all_transfers
     ) m
     GROUP BY account_id
   ) t ON t.account_id = a.id
   WHERE a.kind = 'player' AND a.balance_micros <> coalesce(t.sum, 0)`,

  `SELECT 'an account is that of a player of its operator, with a balance where the house wallet keeps the money',
     'account ' || a.id,
     a.kind || ' of operator ' || a.operator_id
       || CASE WHEN a.balance_micros IS NULL THEN ' without' ELSE ' with' END || ' a balance'
   FROM accounts a
   LEFT JOIN players p ON p.id = a.player_id
   LEFT JOIN operators o ON o.id = a.operator_id
   WHERE (CASE
     WHEN a.kind = 'player' THEN p.operator_id = o.id AND (a.balance_micros IS NOT NULL) = (o.wallet = 'house')
     ELSE o.id IS NOT NULL AND (a.player_id, a.balance_micros) IS NULL
   END) IS NOT TRUE`,

  `SELECT 'a player who has moved to another cell has no account here', 'account ' || a.id,
     'player ' || p.id || ', moved to cell ' || p.moved_to
   FROM accounts a
   JOIN players p ON p.id = a.player_id
   WHERE p.moved_to IS NOT NULL`,

  // Checks of the database say the same of amounts, until its owner drops them. The modes of a
  // version that was last loaded before game_modes existed are not known.
  `SELECT 'a round costs and pays what its amount, its mode and its book say', 'round ' || r.id,
     'amount ' || r.amount_micros || ', mode ' || r.mode || ', cost ' || r.cost_multiplier
       || ', debit ' || r.debit_micros || ', payout of the book ' || r.payout_multiplier
       || ', payout ' || r.payout_micros
   FROM all_rounds r
   LEFT JOIN game_modes m ON m.game_version_id = r.game_version_id AND m.mode = r.mode
   LEFT JOIN (SELECT DISTINCT game_version_id AS id FROM game_modes) v ON v.id = r.game_version_id
   WHERE (
     r.debit_micros = r.amount_micros * r.cost_multiplier
     AND r.payout_micros * 100::numeric = r.amount_micros::numeric * r.payout_multiplier
     AND least(r.amount_micros, r.debit_micros) > 0
     AND least(r.payout_multiplier, r.payout_micros) >= 0
     AND (v.id IS NULL OR (r.cost_multiplier = m.cost_multiplier AND r.payout_multiplier <= m.max_payout))
   ) IS NOT TRUE`,

  `SELECT 'a round is debited exactly once, a free one never', 'round ' || r.id,
     'debit ' || r.debit_micros || ', bet transfer ' || coalesce(b.amount_micros::text, 'none')
   FROM all_rounds r
   JOIN accounts a ON a.id = r.account_id
   LEFT JOIN all_transfers b ON b.round_id = r.id AND b.kind = 'bet'
   WHERE a.balance_micros IS NOT NULL
     AND (
       (b.id IS NULL) <> (r.grant_id IS NOT NULL)
       OR b.amount_micros <> r.debit_micros
       OR b.from_account_id <> r.account_id
     )`,

  `SELECT 'a completed round is paid exactly its payout, an open one nothing', 'round ' || r.id,
     'payout ' || ${CREDITED} || CASE WHEN r.ended_at IS NULL THEN ' (open)' ELSE '' END
       || ', payout transfer ' || coalesce(p.amount_micros::text, 'none')
   FROM all_rounds r
   JOIN accounts a ON a.id = r.account_id
   LEFT JOIN all_transfers p ON p.round_id = r.id AND p.kind = 'payout'
   WHERE a.balance_micros IS NOT NULL
     AND (
       p.to_account_id <> r.account_id
       OR coalesce(p.amount_micros, 0)
         <> CASE WHEN r.ended_at IS NULL OR r.wallet_state = 'void' THEN 0 ELSE ${CREDITED} END
     )`,

  `SELECT 'a void round is given its bet back, exactly, and no other round is', 'round ' || r.id,
     'debit ' || ${PAID} || CASE WHEN r.wallet_state = 'void' THEN ' (void)' ELSE '' END
       || ', refund transfer ' || coalesce(f.amount_micros::text, 'none')
   FROM all_rounds r
   JOIN accounts a ON a.id = r.account_id
   LEFT JOIN all_transfers f ON f.round_id = r.id AND f.kind = 'refund'
   WHERE a.balance_micros IS NOT NULL
     AND (
       f.to_account_id <> r.account_id
       OR (r.wallet_state = 'void' AND r.ended_at IS NULL)
       OR coalesce(f.amount_micros, 0)
         <> CASE WHEN r.wallet_state IS NOT DISTINCT FROM 'void' THEN ${PAID} ELSE 0 END
     )`,

  // Only the house knows the balance before a round from its own transfers.
  `SELECT 'who keeps the money of a round is who keeps that of its account', 'round ' || r.id,
     'wallet state ' || coalesce(r.wallet_state::text, 'none')
       || ', balance before ' || coalesce(r.balance_before_micros::text, 'none')
   FROM all_rounds r
   JOIN accounts a ON a.id = r.account_id
   WHERE (a.balance_micros IS NULL AND (r.wallet_state IS NULL OR r.balance_before_micros IS NOT NULL))
     OR (a.balance_micros IS NOT NULL AND r.wallet_state <> 'void')`,

  `SELECT 'a round has the wallet transactions that its state calls for', 'round ' || r.id,
     r.wallet_state || CASE WHEN r.ended_at IS NULL THEN ' (open)' ELSE '' END
       || ': debit ' || coalesce(d.state::text, 'none')
       || ', credit ' || coalesce(c.state::text, 'none')
       || ', rollback ' || coalesce(b.state::text, 'none')
   FROM all_rounds r
   JOIN accounts a ON a.id = r.account_id
   LEFT JOIN all_wallet_transactions d ON d.round_id = r.id AND d.kind = 'debit'
   LEFT JOIN all_wallet_transactions c ON c.round_id = r.id AND c.kind = 'credit'
   LEFT JOIN all_wallet_transactions b ON b.round_id = r.id AND b.kind = 'rollback'
   WHERE a.balance_micros IS NULL AND (CASE r.wallet_state
     WHEN 'debit_pending' THEN r.ended_at IS NULL
       AND d.state = 'pending' AND c.transaction_id IS NULL AND b.transaction_id IS NULL
     WHEN 'debited' THEN r.ended_at IS NULL
       AND d.state = 'accepted' AND c.transaction_id IS NULL AND b.transaction_id IS NULL
     WHEN 'credit_pending' THEN r.ended_at IS NULL
       AND d.state = 'accepted' AND b.transaction_id IS NULL AND c.state IN ('pending', 'parked')
     -- A lost round is credited before its operator knows that it is closed.
     WHEN 'credited' THEN r.ended_at IS NOT NULL
       AND d.state = 'accepted' AND b.transaction_id IS NULL
       AND (c.state = 'accepted' OR (c.state IN ('pending', 'parked') AND r.payout_micros = 0))
     WHEN 'void' THEN r.ended_at IS NOT NULL
       AND c.transaction_id IS NULL
       AND CASE
         WHEN d.state = 'refused' THEN b.transaction_id IS NULL
         ELSE d.state IN ('abandoned', 'accepted') AND b.state IN ('pending', 'parked', 'accepted')
       END
   END) IS NOT TRUE`,

  `SELECT 'a wallet transaction has the amount of its round', 'wallet transaction ' || w.transaction_id,
     w.kind || ' of ' || w.amount_micros || ' for round ' || w.round_id
   FROM all_wallet_transactions w
   LEFT JOIN all_rounds r ON r.id = w.round_id
   WHERE (w.amount_micros = CASE WHEN w.kind = 'credit' THEN ${CREDITED} ELSE ${PAID} END) IS NOT TRUE
     AND w.kind <> 'winnings'`,

  // The row of the money is written in the transaction that changes the round, with the same time.
  // A won round of a seamless wallet is completed when its credit is accepted, a lost one may be
  // completed when the credit of 0 is stored. The end of a lost round of the house wallet has no
  // such row.
  `SELECT 'a round opens and closes when its money moves', 'round ' || r.id,
     m.kind || ' of ' || m.created_at || coalesce(', settled ' || m.settled_at, '')
       || ', opened ' || r.opened_at || coalesce(', ended ' || r.ended_at, '')
       || coalesce(', completed by the server ' || r.auto_completed_at, '')
   FROM all_rounds r
   JOIN (
     SELECT round_id, kind::text, NULL AS state, created_at, NULL AS settled_at
     FROM all_transfers
     WHERE round_id IS NOT NULL
     UNION ALL
     SELECT round_id, kind::text, state::text, created_at, settled_at
     FROM all_wallet_transactions
   ) m ON m.round_id = r.id
   WHERE m.kind <> 'winnings' AND (CASE
     WHEN m.kind = 'bet' THEN m.created_at = r.opened_at
       AND (r.auto_completed_at IS NULL OR r.auto_completed_at = r.ended_at)
     WHEN m.kind = 'debit' THEN m.created_at = r.opened_at
       AND (m.state NOT IN ('refused', 'abandoned') OR m.settled_at = r.ended_at)
     WHEN m.kind = 'credit' THEN (r.auto_completed_at IS NULL OR r.auto_completed_at = m.created_at)
       AND (m.state <> 'accepted' OR m.settled_at = r.ended_at OR (r.payout_micros = 0 AND m.created_at = r.ended_at))
     ELSE m.created_at = r.ended_at
   END) IS NOT TRUE`,

  `SELECT 'a transfer stands between accounts of one operator and currency, of the kinds that it calls for',
     'transfer ' || t.id,
     t.kind || ' from account ' || t.from_account_id || coalesce(' (' || f.kind || ', ' || f.currency || ')', '')
       || ' to account ' || t.to_account_id || coalesce(' (' || e.kind || ', ' || e.currency || ')', '')
   FROM all_transfers t
   LEFT JOIN accounts f ON f.id = t.from_account_id
   LEFT JOIN accounts e ON e.id = t.to_account_id
   WHERE (
     f.operator_id = e.operator_id AND f.currency = e.currency
     AND (t.kind::text, f.kind::text, e.kind::text) IN (
       ('deposit', 'cashier', 'player'),
       ('withdrawal', 'player', 'cashier'),
       ('bet', 'player', 'house'),
       ('payout', 'house', 'player'),
       ('refund', 'house', 'player'),
       ('winnings', 'house', 'player')
     )
   ) IS NOT TRUE`,

  `SELECT 'bets, payouts, refunds and winnings belong to rounds', 'transfer ' || t.id,
     t.kind || ' names round ' || t.round_id
   FROM all_transfers t
   LEFT JOIN all_rounds r ON r.id = t.round_id
   WHERE t.round_id IS NOT NULL AND r.id IS NULL`,

  `SELECT 'a round belongs to a player, a session of its account and a game version', 'round ' || r.id,
     'one does not fit: player ' || r.player_id || ', account ' || r.account_id || ', session ' || r.session_id
       || ', game version ' || r.game_version_id || ', game ' || r.game_id
   FROM all_rounds r
   LEFT JOIN accounts a ON a.id = r.account_id
   LEFT JOIN sessions s ON s.id = r.session_id
   LEFT JOIN game_versions v ON v.id = r.game_version_id
   -- A session is deleted a day after it has expired, at the earliest.
   WHERE (
     a.player_id = r.player_id
     AND (
       (s.account_id, s.game_version_id) = (r.account_id, r.game_version_id)
       OR (s.id IS NULL AND r.opened_at < now() - interval '1 day')
     )
     AND v.game_id = r.game_id
   ) IS NOT TRUE`,

  `SELECT 'a round is archived with all that belongs to it, or not at all', 'round ' || id, 'a part of it is archived'
   FROM (
     (
       SELECT id FROM rounds
       UNION ALL
       SELECT round_id FROM round_events
       UNION ALL
       SELECT round_id FROM transfers
       UNION ALL
       SELECT round_id FROM wallet_transactions
     )
     INTERSECT
     (
       SELECT id FROM archived_rounds
       UNION ALL
       SELECT round_id FROM archived_round_events
       UNION ALL
       SELECT round_id FROM archived_transfers
       UNION ALL
       SELECT round_id FROM archived_wallet_transactions
     )
   ) parts
   WHERE id IS NOT NULL`,

  `SELECT 'a recorded event belongs to a round', 'round ' || e.round_id, 'event ' || e.seq
   FROM all_round_events e
   LEFT JOIN all_rounds r ON r.id = e.round_id
   WHERE r.id IS NULL`,

  // A difference in max_bet alone counts too: the bounds of the live RTP use it.
  `SELECT 'the totals of games are those of their rounds',
     'game version ' || game_version_id || ', ' || mode || ', ' || currency || ', operator ' || operator_id
       || ', ' || day,
     'rounds ' || coalesce(t.rounds, 0) || ' of ' || coalesce(r.rounds, 0)
       || ', bets ' || coalesce(t.bets, 0) || ' of ' || coalesce(r.bets, 0)
       || ', payouts ' || coalesce(t.payouts, 0) || ' of ' || coalesce(r.payouts, 0)
       || ', free rounds ' || coalesce(t.free_rounds, 0) || ' of ' || coalesce(r.free_rounds, 0)
       || ', void rounds ' || coalesce(t.void_rounds, 0) || ' of ' || coalesce(r.void_rounds, 0)
   FROM current_game_totals t
   FULL JOIN completed_round_totals r USING (game_version_id, mode, currency, operator_id, day)
   WHERE (
     t.rounds, t.bets, t.payouts, t.free_rounds, t.free_bets, t.free_payouts,
     t.bet_squares, t.max_bet, t.void_rounds, t.void_bets
   ) IS DISTINCT FROM (
     r.rounds, r.bets, r.payouts, r.free_rounds, r.free_bets, r.free_payouts,
     r.bet_squares, r.max_bet, r.void_rounds, r.void_bets
   )`,

  `SELECT 'the events of a round are numbered without gaps', 'round ' || round_id,
     count(*) || ' events, the last one is ' || max(seq)
   FROM all_round_events
   GROUP BY round_id
   HAVING min(seq) <> 1 OR max(seq) <> count(*)`,

  // A bet counts on the day of its round's opening, unless the round becomes void on that day; a
  // payout counts on the day of its payment. The account counts the last day with such an amount.
  // A free round counts on no day.
  `SELECT 'the sums of a day are those of its rounds', 'account ' || a.id,
     coalesce('day ' || a.counted_on, 'no day') || coalesce(' of ' || t.day, '')
       || ', wagered ' || a.wagered_today_micros || ' of ' || coalesce(t.wagered, 0)
       || ', won ' || a.won_today_micros || ' of ' || coalesce(t.won, 0)
   FROM accounts a
   LEFT JOIN (
     SELECT account_id, day, sum(wagered) AS wagered, sum(won) AS won
     FROM (
       SELECT r.account_id, (t.created_at AT TIME ZONE 'UTC')::date AS day,
         CASE WHEN t.kind = 'bet' THEN t.amount_micros ELSE 0 END AS wagered,
         CASE WHEN t.kind = 'payout' THEN t.amount_micros ELSE 0 END AS won
       FROM all_transfers t
       JOIN all_rounds r ON r.id = t.round_id
       WHERE r.grant_id IS NULL
         AND (
           t.kind = 'payout'
           OR (
             t.kind = 'bet'
             AND (
               r.wallet_state IS DISTINCT FROM 'void'
               OR (r.ended_at AT TIME ZONE 'UTC')::date > (t.created_at AT TIME ZONE 'UTC')::date
             )
           )
         )
       UNION ALL
       SELECT r.account_id, (w.created_at AT TIME ZONE 'UTC')::date, w.amount_micros, 0
       FROM all_wallet_transactions w
       JOIN all_rounds r ON r.id = w.round_id
       WHERE r.grant_id IS NULL AND w.kind = 'debit'
         AND (
           r.wallet_state IS DISTINCT FROM 'void'
           OR (r.ended_at AT TIME ZONE 'UTC')::date > (w.created_at AT TIME ZONE 'UTC')::date
         )
       UNION ALL
       SELECT r.account_id, (w.settled_at AT TIME ZONE 'UTC')::date, 0, w.amount_micros
       FROM all_wallet_transactions w
       JOIN all_rounds r ON r.id = w.round_id
       WHERE r.grant_id IS NULL AND w.kind = 'credit' AND w.state = 'accepted'
     ) m
     GROUP BY account_id, day
     HAVING sum(wagered) <> 0 OR sum(won) <> 0
   ) t ON t.account_id = a.id AND t.day >= coalesce(a.counted_on, '-infinity')
   WHERE a.counted_on IS DISTINCT FROM coalesce(t.day, a.counted_on)
     OR a.wagered_today_micros <> coalesce(t.wagered, 0)
     OR a.won_today_micros <> coalesce(t.won, 0)`,

  // An account is locked while it pays, so its transfers have the order of their ids. A wrong
  // transfer makes all later balances wrong, so only the first one of an account is a finding.
  `SELECT 'the balance before a round is that of the transfers before it', 'round ' || id,
     'balance before ' || coalesce(balance_before_micros::text, 'none') || ', transfers ' || before
   FROM (
     SELECT DISTINCT ON (account_id) r_id AS id, balance_before_micros, before
     FROM (
       SELECT m.id, m.account_id, r.id AS r_id, r.balance_before_micros, sum(m.amount) OVER w - m.amount AS before
       FROM (
         SELECT id, CASE kind WHEN 'bet' THEN round_id END AS round_id,
           CASE WHEN kind IN ('bet', 'withdrawal') THEN from_account_id ELSE to_account_id END AS account_id,
           CASE WHEN kind IN ('bet', 'withdrawal') THEN -amount_micros ELSE amount_micros END AS amount
         FROM all_transfers
       ) m
       LEFT JOIN all_rounds r ON r.id = m.round_id
       WINDOW w AS (PARTITION BY m.account_id ORDER BY m.id)
     ) o
     WHERE r_id IS NOT NULL AND balance_before_micros IS DISTINCT FROM before
     ORDER BY account_id, o.id
   ) first`,
];
