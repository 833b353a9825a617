import { expect } from 'vitest';
import { operatorClient } from '../../operators/api/operatorClient.ts';
import { succeed } from '../../support/roundhouse.ts';
import { expectPlayersAgree, settled } from '../chaos/agreement.ts';
import { OPERATOR_CODE } from '../chaos/processes.ts';
import type { ProcessFleet } from './processFleet.ts';

const PAGE = 100;

/** What a run has, for those who read the output as evidence. */
export type FleetCounts = { rounds: number[]; players: number[]; listed: number };

/**
 * Everything settles without help. Then the books balance in each cell, and in sum with the
 * operator; no betID is there twice, and each player is in one cell.
 */
export async function expectFleetAgrees(
  fleet: ProcessFleet,
  { hasMoved = false }: { hasMoved?: boolean } = {},
): Promise<FleetCounts> {
  const { cells, operator, file } = fleet;
  const rounds = await Promise.all(cells.map(({ db }) => roundsOf(db)));
  const players = await Promise.all(cells.map(({ db }) => playersOf(db)));
  for (const [place, { db, isOwnID }] of cells.entries()) {
    await settled(db);
    await expectPlayersAgree(db, { operator, playerIDs: await playersWithRounds(db) });
    if (!hasMoved) expect(rounds[place]?.filter((id) => !isOwnID(id))).toEqual([]);
  }
  expect(await succeed(['reconcile', OPERATOR_CODE, '--fleet', file, '--to', 'now'])).toMatch(/no difference/i);
  expect(await succeed(['books-balance', '--fleet', file])).toMatch(/^all cells +balance /m);
  expect(twiceIn(rounds.flat())).toEqual([]);
  expect(twiceIn(players.flat())).toEqual([]);
  const listed = await listRounds(fleet);
  expect(listed.toSorted(byNumber)).toEqual(rounds.flat().map(Number).toSorted(byNumber));
  // The rounds of each cell come in their order, the newest first.
  for (const own of rounds.map((ids) => new Set(ids.map(Number)))) {
    const inOrder = listed.filter((betID) => own.has(betID));
    expect(inOrder).toEqual(inOrder.toSorted(byNumber).toReversed());
  }
  return {
    rounds: rounds.map(({ length }) => length),
    players: players.map(({ length }) => length),
    listed: listed.length,
  };
}

/** Reads the merged list to its end. */
async function listRounds({ url, caller }: ProcessFleet): Promise<number[]> {
  const client = operatorClient(url, caller);
  const betIDs: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await client.rounds({ limit: PAGE, ...(cursor !== '' && { cursor }) });
    expect(status, JSON.stringify(body)).toBe(200);
    betIDs.push(...body.rounds.map(({ betID }: { betID: number }) => betID));
    cursor = body.cursor;
  }
  return betIDs;
}

type Db = ProcessFleet['cells'][number]['db'];

async function roundsOf(db: Db): Promise<bigint[]> {
  return (await db.round.findMany({ select: { id: true } })).map(({ id }) => id);
}

/** Players that have moved away are not in this cell any more. */
async function playersOf(db: Db): Promise<string[]> {
  const players = await db.player.findMany({ where: { movedTo: null }, select: { externalId: true } });
  return players.map(({ externalId }) => externalId);
}

async function playersWithRounds(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ playerID: string }[]>`
    SELECT external_id AS "playerID" FROM players p WHERE EXISTS (SELECT FROM rounds r WHERE r.player_id = p.id)`;
  return rows.map(({ playerID }) => playerID);
}

export function twiceIn<Item>(items: readonly Item[]): Item[] {
  const seen = new Set<Item>();
  return items.filter((item) => seen.size === seen.add(item).size);
}

const byNumber = (one: number, other: number) => one - other;
