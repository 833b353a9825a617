import { randomUUID } from 'node:crypto';
import type { Fleet } from '@roundhouse/fleet';
import { ASKED_HEADER, candidatesOf, FLEET_HEADER } from '@roundhouse/fleet';
import { startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { afterAll, beforeAll } from 'vitest';
import type { Database } from '../../src/store/database/database.ts';
import { addHouseOperator, type Caller, operatorClient } from '../operators/api/operatorClient.ts';
import { addSeamlessOperator, SECRET } from '../support/seamlessServer.ts';
import { expectBooksBalance, startTestServer, type TestServer, type TestServerOptions } from '../support/testServer.ts';

export type Placement = Fleet['placements'][number];

/** Returns a fleet of `cells` cells, with the numbers 1, 2 … and the names eu-1, eu-2 … */
export function fleetOfVersion(version: number, cells: number, placements: Placement[]): Fleet {
  const numbers = Array.from({ length: cells }, (_, at) => at + 1);
  return {
    version,
    cells: numbers.map((number) => ({
      name: `eu-${number}`,
      numbers: [number],
      url: `https://eu-${number}.example.com`,
    })),
    placements,
  };
}

/** Stores in a database which cell it is, as `migrate --fleet` does. */
export async function joinFleet(db: Database, number: number, fleet: Fleet): Promise<void> {
  await db.$executeRaw`
    INSERT INTO cell (numbers, fleet_version, fleet) VALUES (ARRAY[${number}::integer], ${fleet.version}, ${fleet}::jsonb)
    ON CONFLICT (only_row) DO UPDATE SET fleet_version = ${fleet.version}, fleet = ${fleet}::jsonb`;
}

export async function leaveFleet(db: Database): Promise<void> {
  await db.$executeRaw`DELETE FROM cell`;
}

/**
 * Starts `count` cells, each with its own server and database. After the last test their books
 * balance.
 */
export function useCells(count: number, options: TestServerOptions = {}): TestServer[] {
  const cells: TestServer[] = [];
  beforeAll(async () => {
    for (let at = 0; at < count; at += 1) cells.push(await startTestServer(options));
  });
  afterAll(async () => {
    for (const { db } of cells) await expectBooksBalance(db);
    for (const cell of cells) await cell.close();
  });
  return cells;
}

/** Adds one operator with the house wallet to every cell, and returns a client for each. */
export async function houseInCells(cells: readonly TestServer[]) {
  const callers: Caller[] = [];
  const [first] = cells as [TestServer];
  const caller = await addHouseOperator(first.db);
  callers.push(caller);
  for (const { db } of cells.slice(1)) {
    await db.operator.create({ data: { code: caller.code, name: caller.code, secrets: [caller.secret] } });
  }
  return { ...caller, clients: cells.map(({ url }) => operatorClient(url, caller)) };
}

/** Adds one operator with its own wallet to every cell. Its wallet knows any player. */
export async function seamlessInCells(cells: readonly TestServer[]) {
  const wallet = await startFakeWallet({ anyPlayer: true, secret: SECRET });
  const caller = { code: `seamless-${randomUUID()}`, secret: SECRET };
  for (const { db } of cells) await addSeamlessOperator(db, { code: caller.code, url: wallet.url, freeRounds: true });
  return { ...caller, wallet, clients: cells.map(({ url }) => operatorClient(url, caller)) };
}

/** Returns a playerID whose candidates are these cells, in this order. */
export function playerOf(fleet: Fleet, operator: string, numbers: readonly number[]): string {
  for (;;) {
    const playerID = `p-${randomUUID()}`;
    const candidates = candidatesOf(fleet, { operator, playerID }).map((cell) => cell.numbers[0]);
    if (String(candidates) === String(numbers)) return playerID;
  }
}

/** The headers of a request of the launch router that these cells have refused. */
export function routed(version: number, asked: readonly number[] = []): Record<string, string> {
  return { [FLEET_HEADER]: String(version), ...(asked.length > 0 && { [ASKED_HEADER]: asked.join(',') }) };
}
