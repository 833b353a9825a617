import { afterAll, expect, it } from 'vitest';
import { type CellDatabase, startCellDatabase } from './cellDatabase.ts';
import { twiceIn } from './fleetAgreement.ts';
import { createLauncher, type Launcher } from './launcher.ts';
import { type ProcessFleet, startFleet } from './processFleet.ts';

// `npm run proof -- cells-launches --players 10000` sets this.
const PLAYERS = Number(process.env.CELLS_LAUNCHES_PLAYERS ?? 60);
const AT_ONCE = 16;

let fleet: ProcessFleet | undefined;
let databases: CellDatabase[] = [];
afterAll(async () => {
  await fleet?.close();
  await Promise.all(databases.map((database) => database.close()));
});

it(`${PLAYERS} players, launched three times over two routers, are always in the same cell; a third cell moves none`, {
  timeout: 300_000 + PLAYERS * 300,
}, async () => {
  databases = await Promise.all([startCellDatabase(), startCellDatabase(), startCellDatabase()]);
  const [third, ...two] = databases.map(({ url }) => ({ databaseUrl: url })).toReversed();
  fleet = await startFleet({ cells: two });
  const { routers, cells } = fleet;
  const [NEW, OLD] = [0, 1];
  const launcher = createLauncher(fleet);
  const players = Array.from({ length: PLAYERS }, (_, place) => `player-${place}`);
  const startedMs = performance.now();
  // The first launch of each player comes to both routers at once: both want to create the player.
  await forAll(players, (playerID) => Promise.all(routers.map((_, router) => launcher.launch(playerID, router))));
  await forAll(players, (playerID, place) => launcher.launch(playerID, place % routers.length));
  const before = new Map(launcher.cells);
  expectSpread(before, cells.length);

  await fleet.addCells(third ? [third] : []);
  // The other router has the old fleet file from now on.
  await fleet.writeFleet(NEW);
  await routers[NEW]?.restart();
  await forAll(players, (playerID, place) => launcher.launch(playerID, place % routers.length));
  expect(launcher.cells).toEqual(before);

  const added = Array.from({ length: PLAYERS }, (_, place) => `added-${place}`);
  const refusals = new Map<string, number>();
  await forAll(added, async (playerID, place) => {
    // Half of them come to the router with the old file first.
    if (place % 2 === 0) await tryOldRouter(playerID);
    await launcher.launch(playerID, NEW);
    if (place % 2 === 1) await tryOldRouter(playerID);
  });
  const seconds = (performance.now() - startedMs) / 1_000;
  expectSpread(new Map([...launcher.cells].filter(([playerID]) => playerID.startsWith('added'))), 3);
  expect(
    [...refusals.keys()].every((message) => /\b1\b.*\b2\b|\b2\b.*\b1\b/.test(message)),
    [...refusals.keys()].join(),
  ).toBe(true);

  // Each player is where its launches said, and nowhere else.
  const stored = await Promise.all(
    cells.map(async ({ db, number }) => {
      const rows = await db.player.findMany({ select: { externalId: true } });
      return rows.map(({ externalId }) => [externalId, number] as const);
    }),
  );
  expect(twiceIn(stored.flat().map(([playerID]) => playerID))).toEqual([]);
  expect(new Map(stored.flat())).toEqual(launcher.cells);
  console.log(
    [
      `${launcher.counts.launches} launches of ${launcher.cells.size} players in ${seconds.toFixed(0)} s`,
      `of the first ${PLAYERS}: ${countsOf(before)}; of the next ${PLAYERS}: ${countsOf(addedOf(launcher))}; 0 moved`,
      `the router with the old file: ${[...refusals].map(([message, times]) => `${times} × ${message}`).join(', ') || 'no refusal'}`,
    ].join('\n'),
  );

  /** It launches the player in the right cell, or refuses with both versions. */
  async function tryOldRouter(playerID: string): Promise<void> {
    const message = await launcher.tryOnce(playerID, OLD);
    if (message === undefined) return;
    const kind = message.replace(/(added|player)-\d+/g, '…');
    refusals.set(kind, (refusals.get(kind) ?? 0) + 1);
  }
});

async function forAll(playerIDs: readonly string[], work: (playerID: string, place: number) => Promise<unknown>) {
  const waiting = [...playerIDs.entries()];
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next[1], next[0]);
  });
  await Promise.all(workers);
}

/** Each cell has at least half of its fair share. */
function expectSpread(cells: ReadonlyMap<string, number>, count: number): void {
  for (let number = 1; number <= count; number += 1) {
    const own = [...cells.values()].filter((each) => each === number).length;
    expect(own, `players of cell ${number} of ${count}`).toBeGreaterThan(cells.size / count / 2);
  }
}

function addedOf({ cells }: Launcher): Map<string, number> {
  return new Map([...cells].filter(([playerID]) => playerID.startsWith('added')));
}

function countsOf(cells: ReadonlyMap<string, number>): string {
  const numbers = [...new Set(cells.values())].sort();
  return numbers
    .map((number) => `${[...cells.values()].filter((each) => each === number).length} in cell ${number}`)
    .join(', ');
}
