import { createHash } from 'node:crypto';
import { toMicros } from '@roundhouse/contract';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { createLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { archiveRounds } from '../../src/ledger/queries/archive.ts';
import { type RecordsWanted, type RoundRecord, readRoundRecords } from '../../src/ledger/queries/roundRecords.ts';
import { voidRound } from '../../src/ledger/queries/rounds.ts';
import { startSession } from '../../src/ledger/queries/startSession.ts';
import { useDatabase } from '../support/database.ts';
import { BET, type LedgerPlayer, openPlayers } from '../support/ledgerPlayers.ts';

const PLAYERS = 3;
const DAY_MS = 86_400_000;

const database = useDatabase({ connections: 4 });
let ledger: Ledger;
let players: LedgerPlayer[];
let operatorID: number;

/** What a record must say of a round. Amounts in micros; `paid` of a round that is open. */
type Expected = { player: number; roundID: bigint; before: number; after: number | null; paid: number };
type Book = { balances: number[]; open: (Expected | undefined)[]; rounds: Expected[] };

const book: Book = { balances: [], open: [], rounds: [] };

beforeAll(async () => {
  ledger = createLedger(database.db);
  players = await openPlayers(database.db, PLAYERS);
  operatorID = (await database.db.operator.findFirstOrThrow({ where: { code: 'house' } })).id;
  book.balances = players.map(() => 1_000_000_000);
});

const anyAct = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('play' as const),
      units: fc.integer({ min: 1, max: 5 }),
      times: fc.constantFrom(0, 0, 1, 7),
      autoClose: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.constant({ do: 'end' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'void' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('deposit' as const), units: fc.integer({ min: 100, max: 2000 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'archive' as const }) },
);
type Act = typeof anyAct extends fc.Arbitrary<infer Value> ? Value : never;
type Play = Extract<Act, { do: 'play' }>;

async function play(player: number, { units, times, autoClose }: Play): Promise<void> {
  if (book.open[player]) return;
  const amount = units * 1_000_000;
  const paid = amount * times;
  const bet = { amount: toMicros(amount), debit: toMicros(amount), payout: toMicros(paid) };
  const opened = await ledger.openRound({
    ...BET,
    ...(players[player] as LedgerPlayer),
    ...bet,
    payoutMultiplier: BigInt(times) * 100n,
    autoClose,
  });
  if (!opened.ok) throw new Error(opened.refusal);
  const before = book.balances[player] as number;
  const isOver = autoClose && paid === 0;
  book.balances[player] = before - amount;
  const round = { player, roundID: opened.roundID, before, after: isOver ? before - amount : null, paid };
  book.rounds.push(round);
  if (!isOver) book.open[player] = round;
}

/** The open round ends, and its transfer, if any, changes the balance by so much. */
function over(player: number, change: number): void {
  const round = book.open[player];
  if (round === undefined) return;
  book.balances[player] = (book.balances[player] as number) + change;
  round.after = change === 0 ? round.before - betOf(round) : (book.balances[player] as number);
  book.open[player] = undefined;
}

const bets = new Map<bigint, number>();
const betOf = ({ roundID }: Expected) => bets.get(roundID) ?? 0;

async function deposit(player: number, units: number): Promise<void> {
  const started = await startSession(database.db, {
    tokenSha256: new Uint8Array(createHash('sha256').update(`${Math.random()}`).digest()),
    ...{ operatorCode: 'house', playerExternalID: `player-${player}`, currency: 'USD', gameID: 'game' },
    ...{ gameVersion: '1.0.0', country: undefined, jurisdiction: {}, openingBalance: toMicros(0) },
    setBalanceTo: toMicros(units * 1_000_000),
  });
  if (!started.ok) throw new Error(started.refusal);
  book.balances[player] = units * 1_000_000;
}

/** As if all that was played were older by 40 days, and the archive had taken it. */
async function ageAndArchive(): Promise<void> {
  const { db } = database;
  for (const table of ['rounds', 'archived_rounds'])
    await db.$executeRawUnsafe(
      `UPDATE ${table} SET opened_at = opened_at - interval '40 days', closed_at = closed_at - interval '40 days'`,
    );
  for (const table of ['transfers', 'archived_transfers'])
    await db.$executeRawUnsafe(`UPDATE ${table} SET created_at = created_at - interval '40 days'`);
  await archiveRounds(db, { closedBefore: new Date(Date.now() - 30 * DAY_MS), move: true });
}

async function act(player: number, wanted: Act): Promise<void> {
  const open = book.open[player];
  if (wanted.do === 'play') {
    await play(player, wanted);
    const last = book.rounds.at(-1);
    if (last?.player === player && !bets.has(last.roundID)) bets.set(last.roundID, wanted.units * 1_000_000);
  }
  if (wanted.do === 'end' && open) {
    await ledger.closeRound(players[player] as LedgerPlayer);
    over(player, open.paid);
  }
  if (wanted.do === 'void' && open) {
    expect(await voidRound(database.db, { operatorID, roundID: open.roundID, reason: 'test' })).toBe('void');
    over(player, betOf(open));
  }
  if (wanted.do === 'deposit') await deposit(player, wanted.units);
  if (wanted.do === 'archive') await ageAndArchive();
}

async function recordsOf(wanted: RecordsWanted, rowsAPage = 3): Promise<RoundRecord[]> {
  const records: RoundRecord[] = [];
  const outcome = await readRoundRecords(database.db, wanted, async (page) => void records.push(...page), rowsAPage);
  expect(outcome).toEqual({ ok: true, rounds: records.length });
  return records;
}

const shown = (records: readonly RoundRecord[]) =>
  records.map(({ roundID, balanceBefore, balanceAfter }) => [roundID, balanceBefore, balanceAfter]);
const expected = (rounds: readonly Expected[]) => rounds.map(({ roundID, before, after }) => [roundID, before, after]);

it('of any play have the balances before and after each round, archived or not, in the order of the rounds', async () => {
  const plan = fc.array(fc.tuple(fc.nat(PLAYERS - 1), anyAct), { minLength: 10, maxLength: 40 });
  const property = fc.asyncProperty(plan, fc.integer({ min: 1, max: 9 }), fc.nat(), async (acts, rowsAPage, edge) => {
    for (const [player, wanted] of acts) await act(player, wanted);
    const all = await recordsOf({}, rowsAPage);
    expect(shown(all)).toEqual(expected(book.rounds));
    for (const [index] of players.entries()) {
      const own = await recordsOf({ externalID: `player-${index}`, gameID: 'game' }, rowsAPage);
      expect(shown(own)).toEqual(expected(book.rounds.filter(({ player }) => player === index)));
    }
    const at = all[edge % Math.max(1, all.length)]?.openedAt;
    if (at === undefined) return;
    const [before, later] = [await recordsOf({ to: at, operatorCode: 'house' }), await recordsOf({ from: at })];
    expect(shown(before)).toEqual(shown(all.filter(({ openedAt }) => openedAt < at)));
    expect(shown(later)).toEqual(shown(all.filter(({ openedAt }) => openedAt >= at)));
  });
  await fc.assert(property, { numRuns: 12 });
}, 240_000);

it('are of one moment: what is played while they are read is left out', async () => {
  // A player with an open round plays no other.
  for (const player of [0, 1]) await act(player, { do: 'end' });
  for (let round = 0; round < 4; round += 1) await play(0, { do: 'play', units: 1, times: 0, autoClose: true });
  const known = book.rounds.length;
  let seen = 0;
  await readRoundRecords(
    database.db,
    {},
    async (page) => {
      seen += page.length;
      await play(1, { do: 'play', units: 1, times: 0, autoClose: true });
    },
    2,
  );
  expect(book.rounds.length).toBeGreaterThan(known);
  expect(seen).toBe(known);
});

it('are refused for an operator, a player or a game that nobody knows', async () => {
  const none = async () => expect.fail('there is a page');
  for (const [wanted, unknown] of [
    [{ operatorCode: 'nobody' }, 'operator'],
    [{ externalID: 'nobody' }, 'player'],
    [{ gameID: 'none' }, 'game'],
  ] as const)
    expect(await readRoundRecords(database.db, wanted, none)).toEqual({ ok: false, unknown });
});
