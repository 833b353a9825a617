import { randomUUID } from 'node:crypto';
import { candidatesOf, type Fleet, fleetSchema } from '@roundhouse/fleet';
import { startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { afterAll, beforeAll } from 'vitest';
import type { OpenCell } from '../../src/cells/checkCells.ts';
import { type MoveRun, movePlayers } from '../../src/cells/movePlayers.ts';
import { settleCell } from '../../src/store/cells/settleCell.ts';
import type { Database } from '../../src/store/database/database.ts';
import { SECRETS_KEY } from '../support/roundhouse.ts';
import { addSeamlessOperator, SECRET } from '../support/seamlessServer.ts';
import { expectBooksBalance, startTestServer, type TestServer, type TestServerOptions } from '../support/testServer.ts';

/** Every cell takes new players. */
export function fleetAt(urls: Record<string, string>, more: Partial<Fleet> = {}): Fleet {
  const cells = Object.entries(urls).map(([name, url], at) => ({ name, numbers: [at + 1], url }));
  return fleetSchema.parse({ version: 1, cells, placements: [{ cells: cells.map(({ name }) => name) }], ...more });
}

/** The database becomes this cell of the fleet, as `migrate --fleet` makes it. */
export async function settleInFleet(
  { db, url }: { db: Database; url: string },
  fleet: Fleet,
  name: string,
): Promise<OpenCell> {
  const cell = fleet.cells.find((each) => each.name === name);
  if (cell === undefined) throw new Error(`there is no cell ${name}`);
  await settleCell({ url, fleet, cell });
  return { cell, db };
}

/** Invents a player whom this cell creates. */
function playerOf(fleet: Fleet, operator: string, cell = 'a'): string {
  for (;;) {
    const playerID = `p-${randomUUID()}`;
    if (candidatesOf(fleet, { operator, playerID })[0]?.name === cell) return playerID;
  }
}

/** Makes the next ids of operators and games other ones than those of another database. */
async function spendIDs(db: Database): Promise<void> {
  for (const table of ['operators', 'games', 'game_versions', 'campaigns']) {
    await db.$executeRawUnsafe(`SELECT setval('${table}_id_seq', 1000)`);
  }
}

/**
 * Two cells, each a server with its own database. Both have the house wallet's operator "house" and
 * "acme", whose wallet is one. Their ids of operators and games differ.
 */
async function startTwoCells(options: TestServerOptions = {}) {
  const wallet = await startFakeWallet({ anyPlayer: true, secret: SECRET });
  const start = () => startTestServer({ recovery: true, secretsKey: SECRETS_KEY, ...options });
  const [a, b] = await Promise.all([start(), start()]);
  const fleet = fleetAt({ a: a.url, b: b.url });
  for (const server of [a, b]) {
    if (server === b) await spendIDs(server.db);
    await addSeamlessOperator(server.db, { code: 'acme', url: wallet.url, freeRounds: true });
  }
  const source = await settleInFleet({ db: a.db, url: a.databaseUrl }, fleet, 'a');
  const target = await settleInFleet({ db: b.db, url: b.databaseUrl }, fleet, 'b');
  return {
    ...{ a, b, source, target, fleet, wallet },
    newPlayer: (operator: string) => playerOf(fleet, operator),
    /** Moves players from a to b; everybody of the operator, unless `more` names some. */
    move: (operatorCode: string, more: Partial<MoveRun> = {}) =>
      movePlayers({ source, target, fleet, operatorCode, waitMs: 10_000, completes: false, ...more }),
    async expectBooks() {
      await expectBooksBalance(a.db);
      await expectBooksBalance(b.db);
    },
    async close() {
      await Promise.all([a.close(), b.close()]);
      await wallet.close();
    },
  };
}

export type TwoCells = Awaited<ReturnType<typeof startTwoCells>>;

/** The two cells of a test file. After the last test the books of both balance. */
export function useTwoCells(options: TestServerOptions = {}): TwoCells {
  const cells = {} as TwoCells;
  beforeAll(async () => void Object.assign(cells, await startTwoCells(options)));
  afterAll(async () => {
    try {
      await cells.expectBooks();
    } finally {
      await cells.close?.();
    }
  });
  return cells;
}

/** The player's row in each of the two. */
export async function whereIs({ a, b }: Pick<TwoCells, 'a' | 'b'>, externalID: string) {
  const rowOf = async ({ db }: Pick<TestServer, 'db'>) => {
    const row = await db.player.findFirst({ where: { externalId: externalID }, include: { accounts: true } });
    return row && { movedTo: row.movedTo, accounts: row.accounts.length };
  };
  return { a: await rowOf(a), b: await rowOf(b) };
}
