import { afterAll, beforeAll } from 'vitest';
import { openDatabase } from '../../src/store/database/database.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { withAdmin } from './globalSetup.ts';
import { createRowCounter, type RowCounter } from './rowsRead.ts';

export const ROUNDS = 1_000_000;
/** The number of older rounds, which are archived. */
const ARCHIVED = 100_000;
/**
 * The number of open rounds, each with its own player. Half of them, with the house wallet, wait
 * for their player; the others for a wallet, and 600 of these are parked.
 */
export const OPEN = 6_000;
export const UNSETTLED = OPEN / 2;
const DAYS = 60;
/**
 * The last digit of a number says whose it is: 1 to 5 `house` with the house wallet, 6 to 9 `acme`,
 * 0 `tiny`, both with their own wallets.
 */
const OPERATOR_OF = (id: string) => `CASE WHEN ${id} % 10 BETWEEN 1 AND 5 THEN 1 WHEN ${id} % 10 = 0 THEN 3 ELSE 2 END`;
/** Ten players, one for each digit, have a tenth of all rounds. */
const PLAYERS = 40_000;

/** Names what the database holds, for the queries that are measured. */
export const KNOWN = {
  operators: { house: 'house', big: 'acme', small: 'tiny' },
  operatorIDs: { house: 1, big: 2, small: 3 },
  /** One of `acme` has 10,000 rounds, another about 30. */
  busyPlayer: { operator: 'acme', playerID: 'player-6', rowID: 6n },
  quietPlayer: { operator: 'acme', playerID: 'player-1006', rowID: 1_006n },
  games: ['game-1', 'game-2', 'game-3'],
  /** Closed, of the busy player. */
  round: 500_006n + BigInt(ARCHIVED),
  archivedRound: 50_006n,
  openRound: BigInt(ROUNDS + ARCHIVED - 4),
  campaign: 'campaign-6',
  grant: 'grant-6',
} as const;

const FIRST = ARCHIVED + 1;
const LAST = ARCHIVED + ROUNDS;
const WHEN = (id: string) => `now() - (${LAST} - ${id}) * interval '${(DAYS * 86_400_000) / LAST} milliseconds'`;
const SLOT = (id: string) =>
  `CASE WHEN (${id} / 10) % 10 = 0 THEN 0 ELSE 1 + ((${id} / 10) * 7919::bigint % 2999)::integer END`;
const OWNER = (id: string) => `(CASE WHEN ${id} % 10 = 0 THEN 10 ELSE ${id} % 10 END) + 10 * slot`;

const PEOPLE = `
INSERT INTO operators (id, code, name, wallet, wallet_url, secrets) VALUES
  (1, 'house', 'House', 'house', NULL, '{}'),
  (2, 'acme', 'Acme', 'seamless', 'http://127.0.0.1:9', '{s}'),
  (3, 'tiny', 'Tiny', 'seamless', 'http://127.0.0.1:9', '{s}');
INSERT INTO games (id, code) SELECT i, 'game-' || i FROM generate_series(1, 3) i;
-- The second version of each game came in the middle of the time.
INSERT INTO game_versions (id, game_id, version, title, math_sha256, currencies, jurisdiction)
SELECT i, (i - 1) % 3 + 1, (i + 2) / 3 || '.0.0', 'Game ' || (i - 1) % 3 + 1, '', '{USD}', '{}' FROM generate_series(1, 6) i;
INSERT INTO game_modes (game_version_id, mode, cost_multiplier, total_weight, hit_weight, payout_sum, payout_squares, payout_cubes, max_payout)
SELECT v.id, m.mode, m.cost, 400, 101, 25000, 102250000, 1000337500000, 10000
FROM game_versions v CROSS JOIN (VALUES ('BASE', 1), ('BONUS', 100)) m (mode, cost);
INSERT INTO players (id, operator_id, external_id, created_at)
SELECT i, ${OPERATOR_OF('i')}, 'player-' || i, now() - interval '${DAYS} days' FROM generate_series(1, ${PLAYERS}) i;
INSERT INTO accounts (id, operator_id, kind, currency)
SELECT ${PLAYERS} + 2 * o + k, o, (ARRAY['house', 'cashier'])[k]::account_kind, 'USD'
FROM generate_series(1, 3) o CROSS JOIN generate_series(1, 2) k;
INSERT INTO accounts (id, operator_id, kind, player_id, currency, balance_micros, house_account_id)
SELECT id, operator_id, 'player', id, 'USD', CASE WHEN operator_id = 1 THEN 1000000000 END,
  CASE WHEN operator_id = 1 THEN ${PLAYERS} + 3 END
FROM players;
INSERT INTO sessions (token_sha256, player_id, account_id, game_version_id, game_id, state, jurisdiction, created_at, expires_at, last_active_at)
SELECT sha256(('session ' || p.id || ' ' || n)::bytea), p.id, p.id, 4, 1, 'authenticated', '{}', t, t + interval '1 day', t
FROM players p CROSS JOIN LATERAL generate_series(1, CASE WHEN p.id <= 10 THEN 500 ELSE 2 END) n
CROSS JOIN LATERAL (SELECT now() - (n * interval '2 hours') AS t) times;
INSERT INTO launches (token_sha256, operator_id, game_version_id, currency, external_id, jurisdiction, sealed_token, created_at, expires_at)
SELECT sha256(('launch ' || id)::bytea), operator_id, 4, 'USD', external_id, '{}', 'token', now(), now() + interval '1 day'
FROM players WHERE id <= 20000;
INSERT INTO campaigns (id, operator_id, external_id, game_ids, mode, bets, rounds, starts_at, ends_at, automatic, paid_at_end)
SELECT i, ${OPERATOR_OF('i')}, 'campaign-' || i, '{1}', 'BASE', '{"USD": 1000000}', 10, now() - interval '1 day',
  now() + interval '1 day', true, false
FROM generate_series(1, 100) i;
INSERT INTO grants (id, operator_id, external_id, campaign_id, account_id, game_ids, mode, amount_micros, automatic, paid_at_end,
  given, "left", starts_at, expires_at, created_at, change_seq)
SELECT id, operator_id, 'grant-' || id, CASE WHEN id <= 5000 THEN (id - 1) % 100 + 1 END, id, '{1}', 'BASE', 1000000, true, false,
  10, 10, now() - interval '1 day', now() + interval '1 day', now() - interval '1 day', id
FROM players WHERE id <= 20000;
INSERT INTO rtp_alarms (game_version_id, mode, currency, period, rounds, bets, payouts)
SELECT i, 'BASE', 'USD', 'life', 100000, 100000000000, 90000000000 FROM generate_series(1, 3) i`;

/** Returns the rows of `rounds` with these ids. The last ones stay open. */
const rounds = (table: string, from: number, to: number) => `
INSERT INTO ${table} (id, player_id, game_id, game_version_id, session_id, account_id, mode, cost_multiplier, amount_micros,
  debit_micros, book_id, payout_multiplier, payout_micros, opened_at, ended_at, wallet_state, balance_before_micros)
SELECT id, owner, game, CASE WHEN id <= ${LAST / 2} THEN game ELSE game + 3 END, owner, owner, mode, cost, 1000000,
  1000000 * cost, id % 1000 + 1, payout, 10000 * payout, at, CASE WHEN NOT is_open THEN at + interval '1 second' END,
  CASE WHEN operator_id = 1 THEN NULL WHEN is_open THEN CASE WHEN id % 2 = 0 THEN 'debit_pending' ELSE 'credit_pending' END
    ELSE 'credited' END::wallet_state,
  CASE WHEN operator_id = 1 THEN 1000000000 END
FROM (
  SELECT *, ${OWNER('id')} AS owner, ${OPERATOR_OF('id')} AS operator_id, ${WHEN('id')} AS at FROM (
    SELECT id, id > ${LAST - OPEN} AS is_open, id % 3 + 1 AS game,
      CASE WHEN id > ${LAST - OPEN} THEN 3000 + (id - ${LAST - OPEN} - 1) / 10 ELSE ${SLOT('id')} END AS slot,
      CASE WHEN (id / 7) % 20 = 0 THEN 'BONUS' ELSE 'BASE' END AS mode, CASE WHEN (id / 7) % 20 = 0 THEN 100 ELSE 1 END AS cost,
      CASE WHEN (id / 3) % 400 = 1 THEN 10000 WHEN (id / 3) % 4 = 0 THEN 150 ELSE 0 END AS payout
    FROM generate_series(${from}, ${to}) id
  ) numbered
) made`;

const TRANSACTION_COLUMNS = `kind, round_id, amount_micros, state, attempts, result_code, http_status, result_at, settled_by,
  due_at, retry_until, created_at, settled_at`;

/**
 * Each seamless round has a debit, and a credit when it pays. Wallet transactions of open rounds
 * are unsettled.
 */
const transactions = (table: string, from: string) => `
INSERT INTO ${table} (transaction_id, ${TRANSACTION_COLUMNS})
SELECT gen_random_uuid(), 'debit'::wallet_transaction_kind, id, debit_micros, 'accepted'::wallet_transaction_state, 1, 'accepted', 200,
  opened_at, 'operator'::wallet_settler, opened_at, opened_at, opened_at, opened_at
FROM ${from} WHERE wallet_state IN ('credited', 'credit_pending')
UNION ALL
SELECT gen_random_uuid(), 'credit', id, payout_micros, 'accepted', 1, 'accepted', 200, ended_at, 'operator', ended_at, ended_at,
  ended_at, ended_at
FROM ${from} WHERE wallet_state = 'credited' AND payout_micros > 0;
INSERT INTO ${table} (transaction_id, ${TRANSACTION_COLUMNS})
SELECT gen_random_uuid(), CASE WHEN wallet_state = 'debit_pending' THEN 'debit' ELSE 'credit' END::wallet_transaction_kind, id,
  debit_micros, CASE WHEN id % 10 = 7 THEN 'parked' ELSE 'pending' END::wallet_transaction_state, 3, 'timeout', NULL, now(), NULL,
  now() + interval '1 minute', opened_at + interval '1 day', opened_at, NULL
FROM ${from} WHERE ended_at IS NULL AND wallet_state IN ('debit_pending', 'credit_pending')`;

const transfers = (table: string, from: string) => `
INSERT INTO ${table} (id, kind, from_account_id, to_account_id, amount_micros, round_id, created_at)
SELECT 2 * id, 'bet'::transfer_kind, account_id, ${PLAYERS} + 3, debit_micros, id, opened_at FROM ${from} WHERE wallet_state IS NULL
UNION ALL
SELECT 2 * id + 1, 'payout', ${PLAYERS} + 3, account_id, payout_micros, id, ended_at
FROM ${from} WHERE wallet_state IS NULL AND ended_at IS NOT NULL AND payout_micros > 0
ORDER BY 1`;

const HISTORY = `
${rounds('archived_rounds', 1, ARCHIVED)};
${rounds('rounds', FIRST, LAST)};
${transactions('archived_wallet_transactions', 'archived_rounds')};
${transactions('wallet_transactions', 'rounds')};
${transfers('archived_transfers', 'archived_rounds')};
${transfers('transfers', 'rounds')};
INSERT INTO round_events (round_id, seq, event, created_at)
SELECT id, seq, 'picked:' || seq, opened_at FROM rounds CROSS JOIN generate_series(1, 2) seq WHERE id % 20 = 6;
INSERT INTO archived_round_events SELECT id, 1, 'picked:1', opened_at FROM archived_rounds WHERE id % 20 = 6;
INSERT INTO game_totals
SELECT game_version_id, mode, 'USD', a.operator_id, (ended_at AT TIME ZONE 'UTC')::date, count(*), sum(debit_micros),
  sum(payout_micros), 0, 0, 0, sum(debit_micros::numeric * debit_micros), max(debit_micros), 0, 0
FROM all_rounds JOIN accounts a ON a.id = account_id WHERE ended_at IS NOT NULL GROUP BY 1, 2, 4, 5;
SELECT setval('rounds_id_seq', ${LAST}), setval('transfers_id_seq', ${2 * LAST + 1}), setval('players_id_seq', ${PLAYERS}),
  setval('accounts_id_seq', ${PLAYERS + 8}), setval('games_id_seq', 3), setval('game_versions_id_seq', 6),
  setval('operators_id_seq', 3), setval('campaigns_id_seq', 100), setval('grants_id_seq', 20000)`;

const EVENTS = 50_000;

/** Most events are about rounds and players; one in a thousand is of a node or of a wallet. */
const LOG = `
INSERT INTO significant_events (id, seq, at, actor, kind, subject, value_before, value_after, previous_hash, hash)
SELECT i, i, now() - (${EVENTS} - i) * interval '100 seconds', CASE WHEN i % 50 = 0 THEN 'user:support@acme.example' ELSE 'system' END,
  kind, CASE WHEN kind LIKE 'node%' THEN 'node 4f1c-' || i / 1000 WHEN kind LIKE 'wallet%' THEN 'operator acme'
    WHEN kind LIKE 'large%' THEN 'round ' || i * 20 ELSE 'player acme/player-' || i % 100 * 10 + 6 END,
  CASE WHEN i % 10 = 3 THEN '{"dailyWagerLimit":1}' END,
  CASE WHEN kind = 'node_started' THEN '{"version":"1.0.0"}' ELSE '{"dailyWagerLimit":2}' END, repeat('0', 64), repeat('0', 64)
FROM (
  SELECT i, CASE i % 1000 WHEN 1 THEN 'node_started' WHEN 2 THEN 'node_stopped' WHEN 3 THEN 'wallet_outage_began'
    WHEN 4 THEN 'wallet_outage_ended' ELSE CASE i % 5 WHEN 0 THEN 'player_limits_changed' ELSE 'large_win' END END AS kind
  FROM generate_series(1, ${EVENTS}) i
) numbered;
UPDATE event_chain_head SET seq = ${EVENTS};
SELECT setval('significant_events_id_seq', ${EVENTS})`;

const FILLED = [
  'rounds',
  'wallet_transactions',
  'transfers',
  'archived_rounds',
  'archived_transfers',
  'archived_wallet_transactions',
];

/** Makes 1,000,000 rounds and all that belongs to them, in SQL. Their money is not proved. */
async function fill(url: string): Promise<void> {
  await withAdmin(url, async (client) => {
    // Without triggers the events need no chain. Indexes are made at the end, which is faster.
    await client.query("SET session_replication_role = replica; SET synchronous_commit = off; SET work_mem = '256MB'");
    await client.query("SET maintenance_work_mem = '256MB'");
    await client.query(PEOPLE);
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
       WHERE indrelid = ANY ($1::regclass[]) AND NOT indisprimary ORDER BY indexrelid`,
      [FILLED],
    );
    for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
    await client.query(HISTORY);
    await client.query(LOG);
    // Their order decides between two that look equally good.
    for (const { definition } of indexes) await client.query(definition);
    await client.query('VACUUM ANALYZE');
  });
}

/**
 * Makes the rounds before the first test of a file. `rowsRead` counts what a query reads of them.
 */
export function useMillionRounds(): RowCounter & { url: string } {
  const used = {} as RowCounter & { url: string; database: TestDatabase };
  beforeAll(async () => {
    used.database = await createTestDatabase();
    await fill(used.database.url);
    const db = openDatabase({ url: used.database.url, connections: 1 });
    Object.assign(used, createRowCounter(db), { url: used.database.url });
  });
  afterAll(async () => {
    await used.db?.$disconnect();
    await used.database?.drop();
  });
  return used;
}
