import { toMicros } from '@roundhouse/contract';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { changeClientSeed, rotateFairSeeds } from '../../src/rounds/fair/fairSeeds.ts';
import { booksBalance } from '../../src/store/books/booksBalance.ts';
import type { Database } from '../../src/store/database/database.ts';
import type { Prisma } from '../../src/store/generated/client.ts';
import { archiveRounds } from '../../src/store/rounds/archive.ts';
import { verifyChain } from '../../src/store/watch/eventChain.ts';
import { findChainHead, recordEvent, walkEvents } from '../../src/store/watch/significantEvents.ts';
import { databaseIn } from '../support/database.ts';
import { anyAct, BET, useLedger } from '../support/ledgerPlay.ts';
import { age, DAY_MS } from '../support/moveTime.ts';

const TIMES = Number(process.env.TAMPERING_TIMES ?? 200);
const SEED = Number(process.env.TAMPERING_SEED ?? 20_261_123);

const database = useLedger({ house: 5, seamless: 5 });

type Client = Prisma.TransactionClient;
type Row = Record<string, string | number | boolean | null>;

/**
 * Says what an edit may change, as columns with the rows (in SQL) in which neither check can find
 * it; docs/audit.md has the reasons. No edit changes other columns.
 */
type Table = { key: string; unseen: Record<string, string>; deleted?: string; copied?: string };

const NEVER = 'false';
const seen = (...columns: string[]) => Object.fromEntries(columns.map((column) => [column, NEVER]));

/** Such a round has no bet; it has a transfer only when it wins and pays at once. */
const FREE_AT_THE_HOUSE = 'grant_id IS NOT NULL AND balance_before_micros IS NOT NULL';
const ROUNDS: Table = {
  key: 'id',
  unseen: {
    ...seen('id', 'player_id', 'game_id', 'game_version_id', 'account_id', 'mode', 'cost_multiplier', 'amount_micros'),
    ...seen('debit_micros', 'payout_multiplier', 'payout_micros'),
    session_id: "opened_at < now() - interval '1 day'",
    opened_at: FREE_AT_THE_HOUSE,
    ended_at: `balance_before_micros IS NOT NULL
      AND CASE WHEN wallet_state = 'void' THEN grant_id IS NOT NULL ELSE coalesce(credit_micros, payout_micros) = 0 END`,
    balance_before_micros: FREE_AT_THE_HOUSE,
    wallet_state: "wallet_state = 'credited' AND payout_micros = 0",
    auto_completed_at: `auto_completed_at IS NOT NULL OR (${FREE_AT_THE_HOUSE})`,
    // Two rounds of an account may change their grants when both have the same terms.
    grant_id: `EXISTS (
      SELECT FROM grants g JOIN grants o ON (o.account_id, o.amount_micros, o.paid_at_end) = (g.account_id, g.amount_micros, g.paid_at_end)
      WHERE g.id = t.grant_id AND o.id <> g.id
    )`,
    credit_micros: NEVER,
    ...seen('fair_seed_id', 'fair_nonce'),
  },
  deleted: NEVER,
  copied: 'id',
};
const TRANSFERS: Table = {
  key: 'id',
  unseen: {
    ...seen('kind', 'from_account_id', 'to_account_id', 'amount_micros', 'round_id'),
    created_at: 'round_id IS NULL',
  },
  deleted: NEVER,
  copied: 'id',
};
const WALLET_TRANSACTIONS: Table = {
  key: 'transaction_id',
  unseen: {
    ...seen('kind', 'round_id', 'amount_micros'),
    state: 'settled_at IS NULL',
    created_at: "kind = 'credit'",
    settled_at: "kind IN ('rollback', 'winnings') OR (kind = 'debit' AND state = 'accepted') OR amount_micros = 0",
  },
  deleted: NEVER,
  copied: 'transaction_id',
};
const LAST_EVENT = 'seq = (SELECT max(e.seq) FROM all_round_events e WHERE e.round_id = t.round_id)';
const ROUND_EVENTS: Table = {
  key: 'round_id, seq',
  unseen: { ...seen('seq'), round_id: LAST_EVENT },
  deleted: LAST_EVENT,
};

const NO_FAIR_ROUND = 'NOT EXISTS (SELECT FROM all_rounds r WHERE r.fair_seed_id = t.id)';
const NO_ROUND = 'NOT EXISTS (SELECT FROM all_rounds r WHERE r.grant_id = t.id)';

const TABLES: Readonly<Record<string, Table>> = {
  accounts: {
    key: 'id',
    unseen: {
      ...seen('id', 'operator_id', 'kind', 'player_id', 'balance_micros', 'wagered_today_micros', 'won_today_micros'),
      ...seen('fair_seed_id', 'fair_nonce'),
      counted_on: 'wagered_today_micros = 0 AND won_today_micros = 0',
      // The totals of games have the currency of completed rounds.
      currency: `balance_micros IS NULL
        AND NOT EXISTS (SELECT FROM all_rounds r WHERE r.account_id = t.id AND r.ended_at IS NOT NULL)`,
    },
    deleted: NEVER,
  },
  rounds: ROUNDS,
  archived_rounds: ROUNDS,
  transfers: TRANSFERS,
  archived_transfers: TRANSFERS,
  wallet_transactions: WALLET_TRANSACTIONS,
  archived_wallet_transactions: WALLET_TRANSACTIONS,
  round_events: ROUND_EVENTS,
  archived_round_events: ROUND_EVENTS,
  significant_events: {
    key: 'id',
    unseen: seen('id', 'seq', 'at', 'actor', 'kind', 'subject', 'value_before', 'value_after', 'previous_hash', 'hash'),
    deleted: NEVER,
    copied: 'id',
  },
  game_totals: {
    key: 'game_version_id, mode, currency, operator_id, day',
    unseen: {
      ...seen('game_version_id', 'mode', 'currency', 'operator_id', 'day', 'rounds', 'bets', 'payouts', 'bet_squares'),
      ...seen('max_bet', 'void_rounds', 'void_bets', 'free_rounds', 'free_bets', 'free_payouts'),
    },
    deleted: NEVER,
  },
  completed_rounds: {
    key: 'ctid',
    unseen: {
      ...seen('game_version_id', 'mode', 'currency', 'operator_id', 'day', 'is_void', 'bet_micros'),
      // No total has what a void round would have paid, or whether it was free.
      is_free: 'is_void',
      payout_micros: 'is_void',
    },
    deleted: NEVER,
  },
  grants: {
    key: 'id',
    unseen: {
      ...seen('operator_id', 'given', 'used', 'expired', 'cancelled', 'open_rounds', 'won_micros'),
      ...{ id: NO_ROUND, account_id: NO_ROUND, mode: NO_ROUND, amount_micros: NO_ROUND, paid_at_end: NO_ROUND },
      last_round_id: 'used - open_rounds > 1',
      ended_at: 'ended_at IS NOT NULL AND NOT (paid_at_end AND won_micros > 0)',
    },
    deleted: NO_ROUND,
  },
  fair_seeds: {
    key: 'id',
    // A seed that was not used is as good as another one.
    unseen: { ...seen('seq', 'nonces'), id: NO_FAIR_ROUND, account_id: NO_FAIR_ROUND },
    deleted: NEVER,
  },
  event_chain_head: { key: 'only_row', unseen: seen('seq', 'hash'), deleted: NEVER },
};

beforeAll(fill);

/** Makes rounds in all states, of both wallets, in two currencies, also archived, and events. */
async function fill() {
  const { db, ledger, players, play, settle, end, act } = database;
  // This makes two deposits differ.
  await db.$executeRaw`UPDATE transfers SET amount_micros = amount_micros + to_account_id`;
  await db.$executeRaw`UPDATE accounts SET balance_micros = balance_micros + id`;
  await db.operatorLimit.createMany({
    data: (await db.operator.findMany()).map(({ id }) => ({
      operatorId: id,
      currency: 'USD',
      largeWinMicros: 2_000_000n,
    })),
  });
  await db.operator.updateMany({ data: { completeRoundsAfterHours: 1 } });
  const acts = fc.sample(fc.tuple(fc.nat(players.length - 1), anyAct), { seed: SEED, numRuns: 240 });
  const someActs = async (from: number, to: number) => {
    for (const [index, wanted] of acts.slice(from, to)) await act(players[index] as (typeof players)[number], wanted);
  };
  for (const player of players) {
    await playFair(player);
    await play(player, { pays: true });
    await end(player);
    await play(player);
  }
  // A node stores these when it loads the game.
  const modes = [
    { mode: 'BASE', cost: 1 },
    { mode: 'ANTE', cost: 2 },
    { mode: 'AUTO', cost: 1 },
  ];
  for (const { mode, cost } of modes)
    await db.$executeRaw`
      INSERT INTO game_modes (game_version_id, mode, cost_multiplier, total_weight, hit_weight, payout_sum, payout_squares, payout_cubes, max_payout)
      SELECT id, ${mode}, ${cost}::numeric, 1, 1, 1, 1, 1, 200 FROM game_versions`;
  for (const [index, player] of players.entries()) {
    const { mode, cost } = modes[index % modes.length] as (typeof modes)[number];
    const opened = await ledger.openRound({
      ...BET,
      ...player,
      mode,
      costMultiplier: `${cost}`,
      debit: toMicros(BET.amount * cost),
    });
    if (opened.ok && opened.debitID !== undefined) await settle(player, opened.debitID, 'uncertain');
  }
  await someActs(0, 80);
  await age(database, 40);
  await db.$executeRaw`SELECT complete_rounds(2)`;
  await someActs(80, 160);
  await archiveRounds(db, { closedBefore: new Date(Date.now() - 30 * DAY_MS), move: true });
  await age(database, 2);
  await someActs(160, 240);
  await db.$executeRaw`
    UPDATE wallet_transactions SET state = 'parked'
    WHERE transaction_id IN (SELECT transaction_id FROM wallet_transactions WHERE state = 'pending' AND kind <> 'debit' ORDER BY created_at LIMIT 2)`;
  await recordEvent(db, { kind: 'node_started', subject: 'node', after: { version: '1' } });
  // The owner of the tables can drop these; the keys stay.
  for (const table of ['rounds', 'archived_rounds'])
    for (const check of ['debit_is_exact', 'payout_is_exact', 'amounts_in_range'])
      await db.$executeRawUnsafe(`ALTER TABLE ${table} DROP CONSTRAINT rounds_${check}`);
  for (const check of ['count_all_rounds', 'counts_not_negative', 'nothing_left_after_their_end'])
    await db.$executeRawUnsafe(`ALTER TABLE grants DROP CONSTRAINT grants_${check}`);
}

/** Plays two fair rounds, each under its own server seed. */
async function playFair(player: (typeof database.players)[number]): Promise<void> {
  const { db, play } = database;
  const changed = await changeClientSeed(db, { ...player, clientSeed: 'lucky' });
  if (!changed.ok) throw new Error(changed.refusal);
  let { state } = changed;
  for (const clientSeed of ['second', 'third']) {
    const fair = { fairClientSeedID: state.clientSeedID, fairNonce: state.nonce };
    expect(await play(player, { fair })).toBeDefined();
    if (clientSeed === 'third') return;
    const rotated = await rotateFairSeeds(db, { ...player, serverSeedSha256: state.serverSeedSha256, clientSeed });
    if (!rotated.ok) throw new Error(rotated.refusal);
    state = rotated.state;
  }
}

/** Returns what both checks find. */
async function check(tx: Client): Promise<string[]> {
  const { imbalances } = await booksBalance(databaseIn(tx));
  const { issues } = await verifyChain({ events: walkEvents(tx), head: await findChainHead(tx) });
  return [...imbalances.map(({ subject, detail }) => `${subject}: ${detail}`), ...issues.map(({ event }) => event)];
}

const edit = fc.record({
  table: fc.constantFrom(...Object.keys(TABLES)),
  kind: fc.constantFrom('change' as const, 'change', 'change', 'swap', 'delete', 'copy'),
  column: fc.nat(),
  row: fc.nat(),
  other: fc.nat(),
  value: fc.nat(),
});
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

/** The test throws it to undo an edit. */
const UNDONE = new Error('undone');

/**
 * Returns undefined when there is no such edit, it changes nothing, or the database itself refuses
 * it. Otherwise returns what was done, and whether a finding names it.
 */
async function tamper(
  db: Database,
  wanted: Edit,
): Promise<{ done: string; isFound: boolean; found: string[] } | undefined> {
  let outcome: Awaited<ReturnType<typeof tamper>>;
  await db
    .$transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      const sql = await sqlOf(tx, wanted);
      if (sql === undefined) return;
      const before = await rowsOf(tx, wanted.table);
      await tx.$executeRawUnsafe(sql);
      const after = await rowsOf(tx, wanted.table);
      const changed = [...without(before, after), ...without(after, before)];
      if (changed.length === 0) throw UNDONE;
      const names = changed.flatMap((row) => namesOf(wanted.table, JSON.parse(row)));
      const found = await check(tx);
      const isFound = found.some((finding) => names.some((name) => name.test(finding)));
      outcome = { done: sql.replace(/\s+/g, ' '), isFound, found };
      throw UNDONE;
    })
    .catch((error) => {
      if (error !== UNDONE && !/violates|out of range|invalid input/.test(String(error))) throw error;
    });
  return outcome;
}

async function rowsOf(tx: Client, table: string): Promise<string[]> {
  const rows = await tx.$queryRawUnsafe<{ row: string }[]>(`SELECT to_jsonb(t)::text AS row FROM ${table} t`);
  return rows.map(({ row }) => row);
}

/** Returns the rows of one that are not among the others, where a row may be twice. */
function without(rows: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return rows.filter((row) => {
    const index = left.indexOf(row);
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}

/** Returns how a finding may name a row: by its own name, its round or its accounts. */
function namesOf(table: string, row: Row): RegExp[] {
  if (table === 'event_chain_head') return [/the head of the chain|event/];
  if (table === 'significant_events')
    return [new RegExp(`event ${row.seq}\\b|id ${row.id}$`), /^each of the events|the head of the chain$/];
  const own = { accounts: 'account', rounds: 'round', transfers: 'transfer' }[table.replace('archived_', '')];
  return [
    `${own} ${row.id}`,
    `grant ${table === 'grants' ? row.id : row.grant_id}`,
    `server seed ${table === 'fair_seeds' ? row.id : row.fair_seed_id}`,
    `wallet transaction ${row.transaction_id}`,
    `round ${row.round_id ?? row.last_round_id}`,
    `game version ${row.game_version_id}, ${row.mode}`,
    `${row.currency}, operator ${row.operator_id}`,
    ...['account_id', 'from_account_id', 'to_account_id'].map((column) => `account ${row[column]}`),
  ].map((name) => new RegExp(`\\b${name}\\b`));
}

/** Returns the statement of an edit; undefined when there is no such row. */
async function sqlOf(tx: Client, { table, kind, column, row, other, value }: Edit): Promise<string | undefined> {
  const { key, unseen, deleted, copied } = TABLES[table] as Table;
  const name = Object.keys(unseen)[column % Object.keys(unseen).length] ?? '';
  const isUnseen = { change: unseen[name], swap: unseen[name], delete: deleted, copy: copied && NEVER }[kind];
  if (isUnseen === undefined) return undefined;
  const rows = await tx.$queryRawUnsafe<{ ctid: string }[]>(
    `SELECT ctid::text FROM ${table} t WHERE (${isUnseen}) IS NOT TRUE ORDER BY ${key}`,
  );
  const [one, two] = [rows[row % rows.length]?.ctid, rows[other % rows.length]?.ctid];
  if (one === undefined || two === undefined) return undefined;
  const at = (ctid: string) => `ctid = '${ctid}'`;
  if (kind === 'delete') return `DELETE FROM ${table} WHERE ${at(one)}`;
  if (kind === 'copy') {
    const id = copied === 'id' ? `(SELECT max(id) + 1000 FROM ${table})` : 'gen_random_uuid()';
    return `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object('${copied}', ${id}))).* FROM ${table} t WHERE ${at(one)}`;
  }
  if (kind === 'swap') {
    // Rows without a key are only summed.
    if (key === 'ctid') return undefined;
    return `UPDATE ${table} t SET ${name} = o.${name} FROM ${table} o
      WHERE (t.${at(one)} AND o.${at(two)}) OR (t.${at(two)} AND o.${at(one)})`;
  }
  return `UPDATE ${table} t SET ${name} = ${await newValue(tx, { table, name, value, two })} WHERE ${at(one)}`;
}

/** Returns another value that could be there. */
async function newValue(
  tx: Client,
  { table, name, value, two }: { table: string; name: string; value: number; two: string },
): Promise<string> {
  const [{ type, category } = { type: '', category: '' }] = await tx.$queryRaw<{ type: string; category: string }[]>`
    SELECT t.typname::text AS type, t.typcategory::text AS category FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
    WHERE a.attrelid = ${table}::text::regclass AND a.attname = ${name}`;
  const shifts: Record<string, string[]> = {
    N: ['+ 1', '- 1', '* 2', '+ 1000000', '- 1000000'],
    D: type === 'date' ? ['+ 1', '- 1'] : ["+ interval '1 microsecond'", "- interval '1 second'", "+ interval '1 day'"],
  };
  const shifted = (shifts[category] ?? []).map((shift) => `t.${name} ${shift}`);
  const labels =
    category === 'E'
      ? await tx.$queryRawUnsafe<{ label: string }[]>(`SELECT unnest(enum_range(NULL::${type}))::text AS label`)
      : [];
  const values = [
    ...shifted,
    ...labels.map(({ label }) => `'${label}'`),
    ...(category === 'S' ? [`t.${name} || 'X'`] : []),
    ...(category === 'B' ? [`NOT t.${name}`] : []),
    `(SELECT ${name} FROM ${table} WHERE ctid = '${two}')`,
    'NULL',
  ];
  return values[value % values.length] as string;
}

it(`finds ${TIMES} random edits of the database, TAMPERING_SEED=${SEED}`, async () => {
  const { db } = database;
  const checked = () => db.$transaction(check);
  expect(await checked()).toEqual([]);
  const done: Record<string, number> = {};
  const missed: string[] = [];
  let count = 0;
  for (const wanted of fc.sample(edit, { seed: SEED, numRuns: TIMES * 10 })) {
    if (count === TIMES) break;
    const outcome = await tamper(db, wanted);
    if (outcome === undefined) continue;
    count += 1;
    const what = `${wanted.table} ${wanted.kind}`;
    done[what] = (done[what] ?? 0) + 1;
    if (!outcome.isFound) missed.push(`${outcome.done} -- found: ${outcome.found.join('; ')}`);
  }
  console.log(`TAMPERING_SEED=${SEED}`, JSON.stringify(done));
  expect(missed).toEqual([]);
  expect(count).toBe(TIMES);
  expect(await checked()).toEqual([]);
});
