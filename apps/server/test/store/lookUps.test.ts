import { toMicros } from '@roundhouse/contract';
import { beforeAll, expect, it } from 'vitest';
import { BET, useLedger } from '../support/ledgerPlay.ts';

// PostgreSQL counts what a batch reads, so no test needs a clock to see a bad plan.

const PLAYERS = 20;
const BATCHES = 30;

const database = useLedger({ house: PLAYERS, connections: 1 });
// This is the worst moment: every plan below is made while there are no rounds, one operator and
// one game, and PostgreSQL knows it.
beforeAll(() => database.db.$executeRawUnsafe('VACUUM ANALYZE'));

async function playAll(): Promise<void> {
  const opened = await Promise.all(
    database.players.map((player) =>
      database.ledger.openRound({ ...BET, ...player, payoutMultiplier: 100n, payout: BET.amount }),
    ),
  );
  expect(opened.every(({ ok }) => ok)).toBe(true);
  const closed = await Promise.all(database.players.map((player) => database.ledger.endRound(player)));
  expect(closed.every(({ ok }) => ok)).toBe(true);
}

/** Counts entries read from the index, and scans of it, since the last call. */
async function readFrom(index: string): Promise<{ entries: number; scans: number }> {
  await database.db.$executeRawUnsafe('SELECT pg_stat_force_next_flush()');
  const [now] = await database.db.$queryRaw<{ entries: bigint; scans: bigint }[]>`
    SELECT idx_tup_read AS entries, idx_scan AS scans FROM pg_stat_user_indexes WHERE indexrelname = ${index}`;
  const before = counted.get(index) ?? { entries: 0, scans: 0 };
  const total = { entries: Number(now?.entries), scans: Number(now?.scans) };
  counted.set(index, total);
  return { entries: total.entries - before.entries, scans: total.scans - before.scans };
}
const counted = new Map<string, { entries: number; scans: number }>();

it('no play or end-round reads the earlier rounds of its player', async () => {
  for (let batch = 0; batch < BATCHES; batch += 1) await playAll();
  expect(await readFrom('rounds_account_id_game_id_id_idx')).toEqual({ entries: 0, scans: 0 });
});

it('a play and its end-round find their account in one index', async () => {
  await readFrom('accounts_pkey');
  await playAll();
  expect((await readFrom('accounts_pkey')).scans).toBe(0);
});

it.each([
  ['no rounds', ''],
  ['many rounds of few players', 'DISCARD PLANS'],
])(
  'the newest rounds of a player are found in their own index, by a plan that was made with %s',
  async (_, planAnew) => {
    if (planAnew !== '')
      for (const statement of ['VACUUM ANALYZE', planAnew]) await database.db.$executeRawUnsafe(statement);
    for (const index of ['rounds_account_id_game_id_id_idx', 'rounds_pkey']) await readFrom(index);
    const most = 5;
    const before = Number.MAX_SAFE_INTEGER;
    const histories = await Promise.all(
      database.players.map((player) => database.ledger.readHistory({ ...player, before, most })),
    );
    for (const history of histories) expect(history).toMatchObject({ rounds: Array(most).fill({}) });
    const tooEarly = database.players.map((player) =>
      database.ledger.openRound({
        ...BET,
        ...player,
        payoutMultiplier: 0n,
        payout: toMicros(0),
        minimumRoundDurationMs: 3_600_000,
      }),
    );
    for (const play of await Promise.all(tooEarly)) expect(play).toMatchObject({ refusal: 'too_early' });
    for (const state of await Promise.all(
      database.players.map((player) => database.ledger.authenticateSession(player)),
    ))
      expect(state).toMatchObject({ round: { gameVersion: '1.0.0', active: false, lastEvent: null } });
    // Opening a round and closing it may have left an entry each; a look-up of one round reads two.
    const atMost = 2 * PLAYERS * (most + 1 + 1);
    expect((await readFrom('rounds_account_id_game_id_id_idx')).entries).toBeLessThanOrEqual(atMost);
    expect((await readFrom('rounds_pkey')).entries).toBe(0);
  },
);

it('operators and games that are added after the plan was made cost no batch a thing', async () => {
  for (const index of ['operators_pkey', 'game_versions_pkey', 'sessions_pkey', 'players_pkey']) await readFrom(index);
  await database.db.$executeRawUnsafe(
    "INSERT INTO operators (code, name) SELECT 'operator-' || i, 'Operator' FROM generate_series(1, 20) i",
  );
  await database.db.$executeRawUnsafe("INSERT INTO games (code) SELECT 'game-' || i FROM generate_series(1, 20) i");
  await playAll();
  // A row is read once for each open and each close, and the session once more when it is touched.
  for (const index of ['operators_pkey', 'game_versions_pkey', 'players_pkey'])
    expect((await readFrom(index)).entries, index).toBeLessThanOrEqual(2 * PLAYERS);
  // This counts scans and not entries: a session that was touched leaves entries behind until
  // PostgreSQL tidies its page up.
  expect((await readFrom('sessions_pkey')).scans).toBeLessThanOrEqual(4 * PLAYERS);
});
