import { mergeJurisdictions, type PartialJurisdiction } from '@roundhouse/contract';
import type { Database } from '../../server/dist/store/database/database.js';
import { setOperator } from '../../server/dist/store/operators/operators.js';
import { BET_AMOUNT, CURRENCY } from './benchGame.ts';

export const OPERATOR = 'bench';
const DAY_MS = 86_400_000;
/** The balance, in micros, is enough for every bet of a long run. */
const OPENING_BALANCE = 1_000_000_000_000_000n;
const ROUNDS_IN_A_STATEMENT = 1_000_000;
/** Past rounds are this many days old. None is of today: accounts hold the sums of today. */
const [FIRST_DAY, LAST_DAY] = [30, 2];

export type Filling = { players: number; pastRounds: number };

/**
 * Fills an empty database, in which the bench's game is published: players with a live session
 * each, and rounds that they have played in the past weeks. One number is the id of a player, of
 * its account and of its session. The books balance afterwards.
 */
export async function fillDatabase(db: Database, { players, pastRounds }: Filling): Promise<void> {
  // A run, after a long filling of the database, may outlast the default life of a session.
  await setOperator(db, OPERATOR, { sessionTimeoutMs: DAY_MS, sessionLifetimeMs: DAY_MS });
  await addPlayers(db, players);
  if (pastRounds > 0) await addPastRounds(db, { players, pastRounds });
  await addDeposits(db);
  for (const table of TABLES) await db.$executeRawUnsafe(`VACUUM (ANALYZE) ${table}`);
}

/** A prime, so that each player has one turn in as many rounds as there are players. */
const SCATTER = 7_368_787;
const TABLES = ['players', 'accounts', 'sessions', 'rounds', 'transfers'];

async function addPlayers(db: Database, players: number): Promise<void> {
  await db.$executeRaw`
    INSERT INTO players (id, operator_id, external_id)
    SELECT n, o.id, 'player-' || n FROM operators o, generate_series(1, ${players}::int) n WHERE o.code = ${OPERATOR}`;
  await db.$executeRaw`
    INSERT INTO accounts (id, operator_id, kind, player_id, currency, balance_micros, house_account_id, counted_on)
    SELECT id, operator_id, 'player', id, ${CURRENCY}, ${OPENING_BALANCE}, ${players + 1}::bigint, (now() AT TIME ZONE 'UTC')::date
    FROM players`;
  const game = await db.gameVersion.findFirstOrThrow();
  const jurisdiction = JSON.stringify(mergeJurisdictions(game.jurisdiction as PartialJurisdiction));
  // The sessionID is that of sessionOf in benchGame.ts.
  await db.$executeRaw`
    INSERT INTO sessions (id, token_sha256, player_id, account_id, game_version_id, game_id, state, jurisdiction, expires_at)
    SELECT p.id, sha256(convert_to(left(encode(sha256(convert_to('bench ' || p.id, 'UTF8')), 'hex'), 32), 'UTF8')), p.id, p.id,
      ${game.id}, ${game.gameId}, 'authenticated', ${jurisdiction}::jsonb, now() + interval '1 day'
    FROM players p`;
  for (const table of ['players', 'accounts', 'sessions']) {
    await db.$executeRawUnsafe(`SELECT setval('${table}_id_seq', ${players})`);
  }
  await db.$executeRaw`
    INSERT INTO accounts (operator_id, kind, currency)
    SELECT o.id, k.kind, ${CURRENCY} FROM operators o, (VALUES ('house'::account_kind), ('cashier')) k (kind) WHERE o.code = ${OPERATOR}`;
}

/**
 * One round in four pays its bet back. The players take turns in a scattered order, so that the
 * rounds of a player lie apart, as those of a real database do. `turn` counts the earlier rounds of
 * the player, so the balance before a round is known. The deposits come last.
 */
async function addPastRounds(db: Database, { players, pastRounds }: Filling): Promise<void> {
  const indexes = await dropIndexes(db);
  for (let from = 1; from <= pastRounds; from += ROUNDS_IN_A_STATEMENT) {
    const to = Math.min(from + ROUNDS_IN_A_STATEMENT - 1, pastRounds);
    await db.$executeRaw`
      INSERT INTO rounds (id, player_id, game_id, game_version_id, session_id, account_id, mode, cost_multiplier, amount_micros,
        debit_micros, book_id, payout_multiplier, payout_micros, opened_at, ended_at, balance_before_micros)
      SELECT n, p.id, v.game_id, v.id, p.id, p.id, w.mode, 1, ${BET_AMOUNT}, ${BET_AMOUNT}, 1 + n % 1000, w.multiplier,
        ${BET_AMOUNT}::bigint * w.multiplier / 100, t.at, t.at, ${BET_AMOUNT}::bigint * ((p.id + p.turn + 3) / 4 - (p.id + 3) / 4 - p.turn)
      FROM generate_series(${from}::bigint, ${to}::bigint) n
      CROSS JOIN LATERAL (SELECT 1 + n * ${SCATTER}::bigint % ${players}::bigint AS id, (n - 1) / ${players}::bigint AS turn) p
      CROSS JOIN LATERAL (SELECT CASE WHEN (p.id + p.turn) % 4 = 0 THEN 'WIN' ELSE 'LOSE' END AS mode, CASE WHEN (p.id + p.turn) % 4 = 0 THEN 100 ELSE 0 END AS multiplier) w
      CROSS JOIN LATERAL (
        SELECT now() - interval '1 day' * (${FIRST_DAY}::float8 - n::float8 / ${pastRounds}::float8 * ${FIRST_DAY - LAST_DAY}::float8) AS at
      ) t
      CROSS JOIN game_versions v`;
    await db.$executeRaw`
      INSERT INTO transfers (kind, from_account_id, to_account_id, amount_micros, round_id, created_at)
      SELECT m.kind, m.from_id, m.to_id, m.amount, r.id, r.opened_at
      FROM rounds r CROSS JOIN (SELECT id FROM accounts WHERE kind = 'house') house
      CROSS JOIN LATERAL (VALUES
        ('bet'::transfer_kind, r.account_id, house.id, r.debit_micros), ('payout', house.id, r.account_id, r.payout_micros)
      ) m (kind, from_id, to_id, amount)
      WHERE r.id BETWEEN ${from} AND ${to} AND m.amount > 0`;
  }
  await db.$executeRawUnsafe(`SELECT setval('rounds_id_seq', ${pastRounds})`);
  await db.$executeRaw`SELECT recount_game_totals()`;
  for (const { definition } of indexes) await db.$executeRawUnsafe(definition);
}

type Index = { name: string; definition: string };

/** Drops the indexes whose entries would come unordered: one build is several times as fast. */
async function dropIndexes(db: Database): Promise<Index[]> {
  const indexes = await db.$queryRaw<Index[]>`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE tablename IN ('rounds', 'transfers') AND indexname NOT LIKE '%_pkey'`;
  for (const { name } of indexes) await db.$executeRawUnsafe(`DROP INDEX ${name}`);
  return indexes;
}

/** Gives each player deposits for what is there and what was lost. */
async function addDeposits(db: Database): Promise<void> {
  await db.$executeRaw`
    INSERT INTO transfers (kind, from_account_id, to_account_id, amount_micros)
    SELECT 'deposit', cashier.id, a.id, a.balance_micros + coalesce(past.lost, 0)
    FROM accounts a
    CROSS JOIN (SELECT id FROM accounts WHERE kind = 'cashier') cashier
    LEFT JOIN (SELECT account_id, sum(debit_micros - payout_micros) AS lost FROM rounds GROUP BY account_id) past ON past.account_id = a.id
    WHERE a.kind = 'player'`;
}
