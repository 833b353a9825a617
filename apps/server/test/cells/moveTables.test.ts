import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { movePlayers } from '../../src/cells/movePlayers.ts';
import { type Database, openDatabase } from '../../src/store/database/database.ts';
import { secretKeysOf, serverSeedOwner } from '../../src/store/database/secretKeys.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { SECRETS_KEY } from '../support/roundhouse.ts';
import { fleetAt, settleInFleet } from './twoCells.ts';

const fleet = fleetAt({ a: 'http://a.example', b: 'http://b.example' });

let databases: TestDatabase[];
let a: Database;
let b: Database;
beforeAll(async () => {
  databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
  [a, b] = databases.map(({ url }) => openDatabase({ url, secretsKey: SECRETS_KEY })) as [Database, Database];
});
afterAll(async () => {
  await Promise.all([a, b].map((db) => db.$disconnect()));
  await Promise.all(databases.map((database) => database.drop()));
});

/** Tables that name a player, an account or a round and do not move, with the reason. */
const STAYS: Record<string, string> = {
  cell_moves: 'it is the list of the moves themselves',
  console_accounts: 'its account is that of a user of the console',
};

it('every table with rows of players moves with them', async () => {
  const found = await a.$queryRaw<{ name: string }[]>`
    WITH RECURSIVE of_players (oid) AS (
      SELECT 'players'::regclass::oid
      UNION
      SELECT a.attrelid FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
        AND a.attname ~ '(^|_)(player|account|round|session|grant|seed)_id$' AND NOT starts_with(c.relname, '_')
      UNION
      SELECT k.conrelid FROM pg_constraint k JOIN of_players p ON p.oid = k.confrelid WHERE k.contype = 'f'
    )
    SELECT c.relname::text AS name FROM of_players p JOIN pg_class c ON c.oid = p.oid ORDER BY 1`;
  const [row] = await a.$queryRaw<{ tables: string[] }[]>`SELECT moved_tables() AS tables`;
  const moving = [...(row?.tables ?? []), ...Object.keys(STAYS)].sort();
  // moved_rows refers to moves only, and has the rows of all the others.
  expect(found.map(({ name }) => name).filter((name) => name !== 'moved_rows')).toEqual(moving);
});

it('no column of a moved table has ids of another table that with_codes does not know', async () => {
  const columns = await a.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT a.attname::text AS name FROM unnest(moved_tables()) t (name) JOIN pg_attribute a ON a.attrelid = t.name::regclass
    WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attname ~ '_ids?$' ORDER BY 1`;
  expect(columns.map(({ name }) => name)).toEqual([
    // Each cell makes its own ids of these rows, so they stay as they are.
    ...[
      'account_id',
      'active_session_id',
      'batch_id',
      'book_id',
      'campaign_id',
      'external_id',
      'fair_client_seed_id',
      'fair_seed_id',
    ],
    ...[
      'from_account_id',
      'game_id',
      'game_ids',
      'game_version_id',
      'grant_id',
      'house_account_id',
      'last_round_id',
      'operator_id',
    ],
    ...['player_id', 'round_id', 'seed_id', 'session_id', 'to_account_id', 'transaction_id'],
  ]);
});

const FIRST = 1n << 43n;
const MAX = 9007199254740991n;
const MOMENT = '2026-01-02 03:04:05.678901+00';

/**
 * Fills every column of every table. The rows need not make sense together: the test does not check
 * the books.
 */
async function fill(db: Database): Promise<void> {
  const run = (sql: string, ...values: unknown[]) => db.$executeRawUnsafe(sql, ...values);
  await run(`INSERT INTO operators (id, code, name) VALUES (7, 'mill', 'Mill')`);
  await run(`INSERT INTO games (id, code) VALUES (3, 'wheel'), (4, 'dice')`);
  await run(`INSERT INTO game_versions (id, game_id, version, title, math_sha256, currencies, jurisdiction)
    VALUES (30, 3, '1.0.0', 'Wheel', 'x', '{USD}', '{}'), (40, 4, '2.0.0-rc.1', 'Dice', 'y', '{USD}', '{}')`);
  await run(`INSERT INTO players (id, operator_id, external_id, country, login_expires_at, created_at)
    VALUES (${FIRST}, 7, 'Ää "漢"', 'FI', '${MOMENT}', '${MOMENT}')`);
  await run(
    `INSERT INTO accounts (id, operator_id, kind, currency) VALUES (${FIRST + 1n}, 7, 'house', 'USD'), (${FIRST + 2n}, 7, 'cashier', 'USD')`,
  );
  await run(`INSERT INTO accounts (id, operator_id, kind, player_id, currency, balance_micros, counted_on, wagered_today_micros, won_today_micros,
      daily_wager_limit_micros, daily_loss_limit_micros, house_account_id, has_automatic_grant, active_session_id, active_at, login_expires_at,
      country, fair_seed_id, fair_client_seed_id, fair_nonce, created_at)
    VALUES (${FIRST + 3n}, 7, 'player', ${FIRST}, 'USD', 0, '2026-01-02', 3, 4, ${MAX}, 6, ${FIRST + 1n}, true, ${FIRST + 4n}, '${MOMENT}', '${MOMENT}',
      'SE', ${FIRST + 5n}, ${FIRST + 6n}, 9, '${MOMENT}')`);
  const sealed = secretKeysOf(SECRETS_KEY).seal(randomBytes(32).toString('hex'), serverSeedOwner(FIRST + 3n));
  await run(
    `INSERT INTO fair_seeds (id, account_id, seq, server_seed_sha256, sealed_server_seed, created_at, revealed_at, nonces)
     VALUES (${FIRST + 5n}, ${FIRST + 3n}, 1, $1, $2, '${MOMENT}', '${MOMENT}', ${MAX})`,
    randomBytes(32),
    sealed,
  );
  await run(`INSERT INTO fair_client_seeds (id, seed_id, from_nonce, client_seed, created_at)
    VALUES (${FIRST + 6n}, ${FIRST + 5n}, 0, 'a\\b "c"', '${MOMENT}')`);
  await run(
    `INSERT INTO sessions (id, token_sha256, player_id, account_id, game_version_id, game_id, state, country, jurisdiction, max_stake_micros,
       verified_max_stake_micros, idle_timeout_ms, single_instance, complete_rounds_after_hours, wallet_token, wallet_unit_micros, draws,
       created_at, expires_at, last_active_at)
     VALUES (${FIRST + 4n}, $1, ${FIRST}, ${FIRST + 3n}, 30, 3, 'authenticated', 'FI', '{"a": [1.10, "ä"], "b": 12345678901234567890.5}', 1, 2, 3, true, 4,
       'sealed', 5, 'provably_fair', '${MOMENT}', 'infinity', '${MOMENT}')`,
    randomBytes(32),
  );
  await run(`INSERT INTO campaigns (id, operator_id, external_id, game_ids, mode, bets, rounds, starts_at, ends_at, play_within_hours, automatic, paid_at_end)
    VALUES (5, 7, 'easter', '{4,3}', 'BASE', '{"USD": 1}', 3, '${MOMENT}', 'infinity', 7, true, true)`);
  await run(`INSERT INTO grants (id, operator_id, external_id, campaign_id, account_id, game_ids, mode, amount_micros, automatic, paid_at_end, state,
      given, used, "left", expired, cancelled, open_rounds, won_micros, last_round_id, starts_at, expires_at, created_at, ended_at, change_seq)
    VALUES (${FIRST + 7n}, 7, 'g-1', 5, ${FIRST + 3n}, '{4,3}', 'BASE', ${MAX}, true, true, 'cancelled', 10, 3, 0, 3, 4, 0, ${MAX}, ${FIRST + 8n},
      '${MOMENT}', '${MOMENT}', '${MOMENT}', '${MOMENT}', 77)`);
  for (const [at, prefix] of ['', 'archived_'].entries()) {
    const round = FIRST + 8n + BigInt(at);
    await run(`INSERT INTO ${prefix}rounds (id, player_id, game_id, game_version_id, session_id, account_id, mode, cost_multiplier, amount_micros,
        debit_micros, book_id, payout_multiplier, payout_micros, play_key, opened_at, ended_at, wallet_state, batch_id, country,
        balance_before_micros, auto_completed_at, grant_id, credit_micros, fair_seed_id, fair_nonce)
      VALUES (${round}, ${FIRST}, 4, 40, ${FIRST + 4n}, ${FIRST + 3n}, 'ANTE', 1.250, 4000000, 5000000, 9223372036854775807, 150, 6000000, 'a key',
        '${MOMENT}', '${MOMENT}', 'credited', ${MAX}, 'FI', 12, '${MOMENT}', ${FIRST + 7n}, 13, ${FIRST + 5n}, ${at})`);
    for (const seq of [1, 2]) {
      await run(
        `INSERT INTO ${prefix}round_events (round_id, seq, event, created_at) VALUES (${round}, ${seq}, 'tab\t"${seq}"', '${MOMENT}')`,
      );
    }
    await run(`INSERT INTO ${prefix}transfers (id, kind, from_account_id, to_account_id, amount_micros, round_id, created_at)
      VALUES (${FIRST + 10n + BigInt(at)}, 'bet', ${FIRST + 3n}, ${FIRST + 1n}, ${MAX}, ${round}, '${MOMENT}'),
        (${FIRST + 12n + BigInt(at)}, 'payout', ${FIRST + 1n}, ${FIRST + 3n}, ${MAX}, ${round}, '${MOMENT}')`);
    await run(`INSERT INTO ${prefix}wallet_transactions (transaction_id, kind, round_id, amount_micros, state, attempts, result_code, http_status,
        result_detail, result_at, settled_by, settlement_note, reason, due_at, retry_until, created_at, settled_at, reported_balance_micros,
        wallet_reference)
      VALUES (gen_random_uuid(), 'rollback', ${round}, ${MAX}, 'accepted', 3, 'ERR_BNF', 200, 'a detail', '${MOMENT}', 'person', 'a note', 'a reason',
        '${MOMENT}', '${MOMENT}', '${MOMENT}', '${MOMENT}', ${MAX}, 'a reference')`);
    await run(
      `INSERT INTO round_traces (round_id, traceparent, created_at) VALUES (${round}, '${'0'.repeat(55)}', '${MOMENT}')`,
    );
  }
  await run(`INSERT INTO transfers (id, kind, from_account_id, to_account_id, amount_micros, created_at)
    VALUES (${FIRST + 20n}, 'deposit', ${FIRST + 2n}, ${FIRST + 3n}, 10, '${MOMENT}'), (${FIRST + 21n}, 'withdrawal', ${FIRST + 3n}, ${FIRST + 2n}, 10, '${MOMENT}')`);
}

/** Reads the rows of the moved tables as text. `ids` has what the lines become by the move. */
async function readAll(db: Database, ids: Record<string, string>): Promise<Record<string, string[]>> {
  const [row] = await db.$queryRaw<{ tables: string[] }[]>`SELECT moved_tables() AS tables`;
  const all: Record<string, string[]> = {};
  for (const table of row?.tables ?? []) {
    const rows = await db.$queryRawUnsafe<{ text: string }[]>(
      `SELECT (SELECT string_agg(key || '=' || coalesce(value, 'NULL'), E'\\n' ORDER BY key) FROM jsonb_each_text(to_jsonb(t))) AS text
       FROM ${table} t ${table === 'accounts' ? "WHERE kind = 'player'" : ''} ORDER BY 1`,
    );
    all[table] = rows.map(({ text }) =>
      text
        .split('\n')
        .map((line) => ids[line] ?? line)
        .join('\n'),
    );
  }
  return all;
}

it('each column of each table arrives as it was', async () => {
  await fill(a);
  await b.$executeRaw`INSERT INTO operators (id, code, name) VALUES (70, 'mill', 'Mill')`;
  await b.$executeRaw`INSERT INTO games (id, code) VALUES (31, 'wheel'), (41, 'dice')`;
  await b.$executeRaw`INSERT INTO game_versions (id, game_id, version, title, math_sha256, currencies, jurisdiction)
    VALUES (301, 31, '1.0.0', 'Wheel', 'x', '{USD}', '{}'), (401, 41, '2.0.0-rc.1', 'Dice', 'y', '{USD}', '{}')`;
  await b.$executeRaw`SELECT setval('campaigns_id_seq', 500)`;
  const source = await settleInFleet({ db: a, url: databases[0]?.url ?? '' }, fleet, 'a');
  const target = await settleInFleet({ db: b, url: databases[1]?.url ?? '' }, fleet, 'b');

  const before = await readAll(a, {
    ...{ 'active_at=2026-01-02T03:04:05.678901+00:00': 'active_at=NULL', 'change_seq=77': 'change_seq=NULL' },
    ...{ [`active_session_id=${FIRST + 4n}`]: 'active_session_id=NULL', 'state=authenticated': 'state=revoked' },
  });
  const isFilled = (rows: string[], line: string) => rows.some((row) => !row.split('\n').includes(line));
  const empty = Object.entries(before).flatMap(([table, rows]) =>
    (rows[0]?.split('\n') ?? [])
      .filter((line) => line.endsWith('=NULL') && !isFilled(rows, line))
      .map((line) => `${table}.${line}`),
  );
  // The move itself changes these.
  expect(empty.sort()).toEqual([
    ...[
      'accounts.active_at=NULL',
      'accounts.active_session_id=NULL',
      'grants.change_seq=NULL',
      'players.moved_to=NULL',
    ],
  ]);

  const result = await movePlayers({ source, target, fleet, operatorCode: 'mill', waitMs: 0, completes: false });
  expect(result).toEqual({ moved: 1, left: [] });

  const house = await b.account.findFirstOrThrow({ where: { kind: 'house' } });
  const cashier = await b.account.findFirstOrThrow({ where: { kind: 'cashier' } });
  const { id: campaignID } = await b.campaign.findFirstOrThrow();
  const after = await readAll(b, {
    ...{ 'operator_id=70': 'operator_id=7', 'game_id=31': 'game_id=3', 'game_id=41': 'game_id=4' },
    ...{ 'game_version_id=301': 'game_version_id=30', 'game_version_id=401': 'game_version_id=40' },
    ...{ 'game_ids=[41, 31]': 'game_ids=[4, 3]', [`campaign_id=${campaignID}`]: 'campaign_id=5' },
    ...Object.fromEntries(
      ['house_account_id', 'from_account_id', 'to_account_id'].flatMap((column) => [
        [`${column}=${house.id}`, `${column}=${FIRST + 1n}`],
        [`${column}=${cashier.id}`, `${column}=${FIRST + 2n}`],
      ]),
    ),
  });
  expect(after).toEqual(before);
  const left = await readAll(a, {});
  expect(Object.values(left).flat()).toHaveLength(1);
});
