import type { Fleet } from '@roundhouse/fleet';
import { idRangeOf } from '@roundhouse/fleet';
import { beforeAll, describe, expect, it } from 'vitest';
import { settleCell } from '../../src/store/cells/settleCell.ts';
import { catchUp, findRoundIDs, settleHome } from '../../src/store/database/databaseHome.ts';
import { endOfRoundsBefore, lowestRoundSince, lowestTransferSince } from '../../src/store/database/idsOfTime.ts';
import { listRounds, type RoundsWanted } from '../../src/store/operators/operatorRounds.ts';
import { readRoundRecords } from '../../src/store/operators/roundRecords.ts';
import { archiveRounds } from '../../src/store/rounds/archive.ts';
import { readRoundCounter } from '../../src/store/staff/overview.ts';
import { readNetPosition } from '../../src/store/staff/playerPages.ts';
import { useDatabase } from '../support/database.ts';
import { openPlayers } from '../support/ledgerPlay.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Far enough in the past that the archive takes rounds of it. */
const START = Date.now() - 40 * DAY;
const HOURS = 24 * 30;

const used = useDatabase();
/** All rounds that are in the database, in the order of their ids. */
const rounds: { id: bigint; openedAt: Date; player: string }[] = [];

/**
 * A database from before cells, then cell 3, then cell 3 with number 7: it has taken a player from
 * cell 2 and one from cell 5. All of these have a round in each of the same hours, except for the
 * newest ids.
 */
beforeAll(async () => {
  const { db } = used;
  const [old, own, two, five] = await openPlayers(db, 4);
  // These are their deposits.
  await db.transfer.deleteMany();
  const base = (number: number) => idRangeOf(number).first;
  await addRounds({ player: old, name: 'player-0', first: 1n, from: 0, to: HOURS / 3 });
  await addRounds({ player: own, name: 'player-1', first: base(3), from: HOURS / 3, to: (HOURS * 2) / 3 });
  await addRounds({
    player: two,
    name: 'player-2',
    first: base(2) + 1_000_000_000n,
    from: 0,
    to: HOURS / 2,
    step: 100n,
  });
  await addRounds({
    player: five,
    name: 'player-3',
    first: base(5) + 77n,
    from: HOURS / 4,
    to: (HOURS * 2) / 3,
    step: 7n,
  });
  for (const player of [old, own, two, five]) {
    const at = [old, own, two, five].indexOf(player);
    await addRounds({
      player,
      name: `player-${at}`,
      first: base(7) + BigInt(at),
      from: (HOURS * 2) / 3,
      to: HOURS,
      step: 4n,
    });
  }
  rounds.sort((a, b) => (a.id < b.id ? -1 : 1));
});

type Player = Awaited<ReturnType<typeof openPlayers>>[number] | undefined;
type Added = { player: Player; name: string; first: bigint; from: number; to: number; step?: bigint };

/** The player has a round in each hour, from the hour `from` on. */
async function addRounds({ player, name, first, from, to, step = 1n }: Added): Promise<void> {
  if (player === undefined) throw new Error('there is no player');
  for (let hour = from; hour < to; hour += 1) {
    rounds.push({
      id: first + BigInt(hour - from) * step,
      openedAt: new Date(START + hour * 60 * MINUTE + Number(player.playerID) * 1_000),
      player: name,
    });
  }
  await used.db.$executeRaw`
    INSERT INTO rounds (id, player_id, game_id, game_version_id, session_id, account_id, mode, cost_multiplier,
      amount_micros, debit_micros, book_id, payout_multiplier, payout_micros, opened_at, ended_at)
    SELECT ${first}::bigint + n * ${step}::bigint, p.id, 1, 1, s.id, a.id, 'BASE', 1, 1000000, 1000000, 1, 0, 0, at, at
    FROM generate_series(0, ${to - from - 1}::integer) n
    CROSS JOIN LATERAL (SELECT ${new Date(START)}::timestamptz + (n + ${from}::integer) * interval '1 hour' + ${player.playerID}::bigint * interval '1 second' AS at) t
    JOIN sessions s ON s.id = ${player.sessionRowID} JOIN players p ON p.id = s.player_id JOIN accounts a ON a.id = s.account_id`;
  await used.db.$executeRaw`
    INSERT INTO transfers (id, kind, from_account_id, to_account_id, amount_micros, round_id, created_at)
    SELECT r.id, 'bet', r.account_id, h.id, r.debit_micros, r.id, r.opened_at
    FROM rounds r JOIN accounts a ON a.id = r.account_id JOIN accounts h ON h.operator_id = a.operator_id AND h.kind = 'house'
    WHERE r.player_id = ${player.playerID} AND NOT EXISTS (SELECT FROM transfers t WHERE t.id = r.id)`;
}

/** These are one instant in each quarter of the time, one before all rounds and one after them. */
const INSTANTS = [
  -1,
  0,
  HOURS / 8,
  HOURS / 4,
  HOURS / 3,
  HOURS / 2,
  (HOURS * 3) / 5,
  (HOURS * 2) / 3,
  HOURS - 1,
  HOURS + 1,
].map((hour) => new Date(START + hour * 60 * MINUTE + 2_500));

describe('the ids of an instant', () => {
  it('rounds of an instant or later have the lowest id or a higher one', async () => {
    const rowAt = (id: bigint) => rounds.find((round) => round.id >= id)?.id;
    for (const instant of INSTANTS) {
      const first = rounds.find(({ openedAt }) => openedAt >= instant)?.id;
      expect(rowAt(await lowestRoundSince(used.db, instant))).toBe(first);
      expect(rowAt(await lowestTransferSince(used.db, instant))).toBe(first);
    }
  });

  it('rounds before an instant have lower ids than the end', async () => {
    for (const instant of INSTANTS) {
      const end = await endOfRoundsBefore(used.db, instant);
      const before = rounds.filter(({ openedAt }) => openedAt < instant);
      for (const { id } of before) expect(id).toBeLessThan(end);
      // The end is that of the number: the next round has this id, or there is none.
      const newest = before.at(-1)?.id ?? 0n;
      const after = rounds.find(({ id }) => id > newest)?.id;
      expect(end === newest + 1n || end === after).toBe(true);
    }
    expect(await endOfRoundsBefore(used.db, undefined)).toBe((rounds.at(-1)?.id ?? 0n) + 1n);
  });

  it('in an empty table every range is empty', async () => {
    const { db } = used;
    await db
      .$transaction(async (tx) => {
        await tx.$executeRaw`DELETE FROM transfers`;
        await tx.$executeRaw`DELETE FROM rounds`;
        expect(await lowestRoundSince(tx, new Date(0))).toBe(1n);
        expect(await endOfRoundsBefore(tx, new Date())).toBe(1n);
        expect(await endOfRoundsBefore(tx, undefined)).toBe(1n);
        throw new Undo();
      })
      .catch(ignoreUndo);
  });
});

const ALL: RoundsWanted = {
  operatorID: undefined,
  externalID: undefined,
  gameID: undefined,
  from: undefined,
  to: undefined,
  state: undefined,
  limit: 500,
  before: undefined,
  span: 1_000,
};

/** Reads all pages, and returns how many there were. */
async function read(wanted: Partial<RoundsWanted>): Promise<{ ids: bigint[]; pages: number }> {
  const ids: bigint[] = [];
  let before: bigint | undefined;
  let pages = 0;
  do {
    const page = await listRounds(used.db, { ...ALL, ...wanted, before });
    ids.push(...page.rounds.map(({ roundID }) => roundID));
    before = page.next;
    pages += 1;
  } while (before !== undefined && pages < 1_000);
  return { ids, pages };
}

describe('lists of rounds', () => {
  it('between two instants have all rounds of these, the highest id first', async () => {
    for (const from of INSTANTS.filter((_, at) => at % 2 === 0)) {
      for (const to of INSTANTS.filter((_, at) => at % 2 === 1)) {
        const wanted = rounds.filter(({ openedAt }) => openedAt >= from && openedAt < to).map(({ id }) => id);
        expect((await read({ from, to })).ids).toEqual(wanted.reverse());
      }
    }
  });

  it('go from one number to the next in one page, and over gaps of it', async () => {
    const { ids, pages } = await read({});
    expect(ids).toEqual(rounds.map(({ id }) => id).reverse());
    // The player of cell 2 has ten rounds on a page of a thousand ids.
    expect(pages).toBeLessThan(60);
  });

  it('of a state that none has cost a page for a thousand ids with rounds', async () => {
    const { ids, pages } = await read({ state: 'void' });
    expect(ids).toEqual([]);
    expect(pages).toBeLessThan(60);
  });

  it.each(['player-0', 'player-1', 'player-2', 'player-3'])('of %s have the newest first', async (externalID) => {
    const own = rounds.filter(({ player }) => player === externalID);
    const ofPlayer = own.toSorted((a, b) => b.openedAt.getTime() - a.openedAt.getTime()).map(({ id }) => id);
    expect((await read({ externalID, limit: 100 })).ids).toEqual(ofPlayer);
    const [from, to] = [INSTANTS[3], INSTANTS[6]] as [Date, Date];
    const within = own.filter(({ openedAt }) => openedAt >= from && openedAt < to).map(({ id }) => id);
    expect((await read({ externalID, from, to, limit: 100 })).ids).toEqual(within.reverse());
  });
});

it('records of a time have all rounds of it', async () => {
  const [from, to] = [INSTANTS[2], INSTANTS[5]] as [Date, Date];
  const found: bigint[] = [];
  await readRoundRecords(used.db, { from, to }, async (page) => {
    found.push(...page.map(({ roundID }) => roundID));
  });
  expect(found).toEqual(rounds.filter(({ openedAt }) => openedAt >= from && openedAt < to).map(({ id }) => id));
});

it('the net position of a moved player has the rounds of all its cells', async () => {
  const player = await used.db.player.findFirstOrThrow({ where: { externalId: 'player-2' } });
  const [from, to] = [new Date(START), new Date(START + 40 * DAY)];
  const days = (await readNetPosition(used.db, { playerRowID: player.id, from, to })) ?? [];
  const expected = rounds.filter((round) => round.player === 'player-2').length;
  expect(days.reduce((sum, day) => sum + day.rounds, 0)).toBe(expected);
});

it('the archive takes what was completed before, of each number', async () => {
  const closedBefore = new Date(START + (HOURS / 2) * 60 * MINUTE);
  const old = rounds.filter(({ openedAt }) => openedAt < closedBefore).length;
  expect(await archiveRounds(used.db, { closedBefore, move: false })).toMatchObject({ rounds: old });
  expect(await archiveRounds(used.db, { closedBefore, move: true, step: 50 })).toMatchObject({
    rounds: old,
    transfers: old,
  });
  const wanted = rounds.map(({ id }) => id).reverse();
  expect((await read({})).ids).toEqual(wanted);
  for (const from of INSTANTS) {
    expect((await read({ from })).ids).toEqual(
      rounds
        .filter(({ openedAt }) => openedAt >= from)
        .map(({ id }) => id)
        .reverse(),
    );
  }
});

describe('a cell that was restored', () => {
  const fleet: Fleet = {
    version: 1,
    cells: [
      { name: 'eu-1', numbers: [1], url: 'https://eu-1' },
      { name: 'eu-2', numbers: [2], url: 'https://eu-2' },
    ],
    placements: [{ cells: ['eu-1'] }],
  };
  const empty = useDatabase();
  const { first, last } = idRangeOf(1);

  it('leaves out ids within the range of its number, of all tables', async () => {
    const { db } = empty;
    await settleCell({ url: empty.url, fleet, cell: fleet.cells[0] as Fleet['cells'][number] });
    expect(await findRoundIDs(db)).toEqual({ kept: 0n, last: first - 1n, largest: last });
    expect(await readRoundCounter(db)).toMatchObject({ rounds: 0n });
    expect(await settleHome(db, { skip: 1_000n })).toBe(first + 999n);
    // A database without a fleet, whose ids begin at 1, gives the same.
    expect(await readRoundCounter(db)).toMatchObject({ rounds: 1_000n });
    expect(await findRoundIDs(db)).toMatchObject({ last: first + 999n });
    const { id: operatorId } = await db.operator.create({ data: { code: 'acme', name: 'Acme' } });
    expect(await db.player.create({ data: { operatorId, externalId: 'anna' } })).toMatchObject({ id: first + 1_000n });
  });

  it('leaves out no more ids than its number has', async () => {
    expect(await settleHome(empty.db, { skip: last - first })).toBeUndefined();
    expect(await findRoundIDs(empty.db)).toMatchObject({ last: first + 999n });
  });

  it('goes on above what a node has seen, within its number', async () => {
    await catchUp(empty.db, { seen: first + 5_000n, skip: 10n });
    expect(await findRoundIDs(empty.db)).toMatchObject({ last: first + 5_010n });
    await expect(catchUp(empty.db, { seen: idRangeOf(4).first, skip: 10n })).rejects.toThrow(
      `no round ids are left above ${idRangeOf(4).first}: this database ends at ${last}`,
    );
  });
});

class Undo extends Error {}

function ignoreUndo(error: unknown): void {
  if (!(error instanceof Undo)) throw error;
}
