import { randomUUID } from 'node:crypto';
import { resolveRgsUrl } from '@roundhouse/contract';
import type { Fleet } from '@roundhouse/fleet';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRouter } from '../../src/router/startRouter.ts';
import { launchBody, operatorClient } from '../operators/api/operatorClient.ts';
import type { TestResponse, TestServer } from '../support/testServer.ts';
import { clientOf } from '../support/testServer.ts';
import { fleetOfVersion, playerOf, seamlessInCells, useCells } from './fleet.ts';
import { settleInFleet } from './twoCells.ts';

const cells = useCells(2, { recovery: true });
let router: Awaited<ReturnType<typeof startRouter>>;
let operator: Awaited<ReturnType<typeof seamlessInCells>>;
let client: ReturnType<typeof operatorClient>;

/** The cells take new players together. */
let fleet: Fleet;

beforeAll(async () => {
  operator = await seamlessInCells(cells);
  const { cells: places, ...made } = fleetOfVersion(1, 2, [{ operators: [operator.code], cells: ['eu-1', 'eu-2'] }]);
  fleet = { ...made, cells: places.map((cell, at) => ({ ...cell, url: (cells[at] as TestServer).url })) };
  for (const [at, { db, databaseUrl }] of cells.entries())
    await settleInFleet({ db, url: databaseUrl }, fleet, `eu-${at + 1}`);
  const log = pino({ level: 'silent' });
  router = await startRouter({ fleet, log, host: '127.0.0.1', port: 0, cellTimeoutMs: 60_000 });
  client = operatorClient(router.url, operator);
});
afterAll(async () => {
  await router?.close();
  await operator?.wallet.close();
});

const cellOf = ({ headers }: TestResponse) => headers.get('roundhouse-cell');
const launch = (playerID: string) => client.launch(launchBody({ playerID }));

/** Launches by the router and plays where the launch URL leads, as a browser does. */
async function playAtCell(playerID: string, rounds = 1): Promise<number[]> {
  // The wallet of the tests reads the player in the sessionID.
  const launched = await client.launch(
    launchBody({ playerID, sessionID: `${operator.code}:${randomUUID()}:${playerID}` }),
  );
  expect(launched.status, launched.text).toBe(200);
  const url = resolveRgsUrl(new URL(launched.body.url).searchParams.get('rgs_url') ?? '') ?? '';
  expect(url).toBe(cells[Number(cellOf(launched)) - 1]?.url);
  const game = clientOf(url);
  const { sessionID } = launched.body;
  expect((await game.authenticate(sessionID)).status).toBe(200);
  const betIDs: number[] = [];
  for (let at = 0; at < rounds; at += 1) {
    const { status, body } = await game.play(sessionID);
    expect(status, JSON.stringify(body)).toBe(200);
    betIDs.push(body.round.betID);
    if (body.round.active) await game.endRound(sessionID);
  }
  return betIDs;
}

describe('two cells behind a router', () => {
  it.each([1, 2])('a player of cell %i is launched, plays and is read there', async (number) => {
    const playerID = playerOf(fleet, operator.code, [number]);
    const [betID = 0] = await playAtCell(playerID);
    const round = await client.round(betID);
    expect([round.status, cellOf(round), round.body.playerID]).toEqual([200, String(number), playerID]);
    const rounds = await client.playerRounds(playerID);
    expect(rounds.body.rounds.map((each: { betID: number }) => each.betID)).toEqual([betID]);
    const voided = await client.voidRound(betID);
    expect([voided.status, cellOf(voided)]).toEqual([400, String(number)]);
  });

  it('sessions end by player, and by the sessionID of either kind', async () => {
    const playerID = playerOf(fleet, operator.code, [2]);
    const { body: own } = await launch(playerID);
    expect(own.sessionID).toContain(':c2.');
    const ended = await client.endSessions({ sessionID: own.sessionID });
    expect([ended.status, ended.body, cellOf(ended)]).toEqual([200, { ended: 1 }, '2']);
    const theirs = `${operator.code}:${randomUUID()}`;
    await client.launch(launchBody({ playerID, sessionID: theirs }));
    const revoked = await client.revoke(theirs);
    expect([revoked.status, cellOf(revoked)]).toEqual([200, '2']);
    await launch(playerID);
    expect((await client.endSessions({ playerID })).body).toEqual({ ended: 1 });
    expect((await client.revoke(`${operator.code}:never-was`)).status).toBe(404);
  });

  it('the router verifies nothing: a wrong signature is refused by a cell', async () => {
    const liar = operatorClient(router.url, { ...operator, secret: 'wrong' });
    const { status, body } = await liar.launch(launchBody({ playerID: 'anna' }));
    expect([status, body.error]).toEqual([401, 'ERR_VAL']);
  });

  it('who cannot sign gets the same response for a known operator and for an unknown one', async () => {
    const answersOf = async (code: string) => {
      const liar = operatorClient(router.url, { code, secret: 'wrong' });
      const asked = [liar.games(), liar.launch(launchBody()), liar.launch(launchBody({ playerID: 'anna' }))];
      const answers = await Promise.all([...asked, liar.rounds(), liar.round(7), liar.grants({ playerID: 'anna' })]);
      return answers.map(({ status, body, headers }) => [status, body, [...headers.keys()].sort()]);
    };
    const known = await answersOf(operator.code);
    expect(known.map(([status]) => status)).toEqual(Array(6).fill(401));
    expect(await answersOf('nobody')).toEqual(known);
  });

  it('a launch needs a player, where its operator has several cells and no home', async () => {
    const { status, body } = await client.launch(launchBody());
    expect([status, body.message]).toEqual([400, expect.stringContaining('no home cell')]);
  });

  it('campaigns are in both cells, grants in the cell of their player, and counters are the sum', async () => {
    const campaignID = `campaign-${randomUUID()}`;
    const endsAt = new Date(Date.now() + 3_600_000).toISOString();
    const terms = {
      gameIDs: ['fixture'],
      mode: 'BASE',
      bets: { USD: 1_000_000 },
      rounds: 2,
      automatic: true,
      paidAtEnd: false,
    };
    const created = await client.createCampaign({ campaignID, ...terms, endsAt });
    expect([created.status, cellOf(created)], created.text).toEqual([200, '1,2']);
    for (const number of [1, 2, 2]) {
      const playerID = playerOf(fleet, operator.code, [number]);
      const grantID = `grant-${randomUUID()}`;
      const given = await client.giveGrants({ campaignID, grants: [{ grantID, playerID, currency: 'USD' }] });
      expect([given.status, cellOf(given)], given.text).toEqual([200, String(number)]);
      expect(cellOf(await client.grant(grantID))).toBe(String(number));
      if (number === 1) await playAtCell(playerID);
    }
    const { body } = await client.campaign(campaignID);
    expect(body).toMatchObject({ campaignID, grants: 3, used: 1, left: 5, state: 'open' });
    expect((await client.campaigns()).body.campaigns).toContainEqual(body);
    expect((await client.cancelCampaign(campaignID)).body).toMatchObject({ state: 'cancelled', left: 0 });
    const changes = await client.changes({ limit: 2 });
    expect(changes.body.grants).toHaveLength(2);
    const rest = await client.changes({ cursor: changes.body.cursor });
    const ids = [...changes.body.grants, ...rest.body.grants].map(({ grantID }: { grantID: string }) => grantID);
    expect(new Set(ids).size).toBe(3);
  });

  it('a list of rounds has each round of both cells once, page by page, newest first', async () => {
    const players = [1, 2].map((number) => playerOf(fleet, operator.code, [number]));
    for (const playerID of [...players, ...players]) await playAtCell(playerID, 3);
    const direct = await Promise.all(operator.clients.map((each) => each.rounds({ limit: 200 })));
    const all = direct
      .flatMap(({ body }) => body.rounds)
      .sort((one, other) => (one.openedAt < other.openedAt ? 1 : -1));
    expect(all.length).toBeGreaterThanOrEqual(12);
    const seen: { betID: number; openedAt: string }[] = [];
    let cursor: string | undefined;
    do {
      const page: TestResponse = await client.rounds({ limit: 4, ...(cursor && { cursor }) });
      expect(page.status, page.text).toBe(200);
      seen.push(...page.body.rounds);
      cursor = page.body.cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(all);
  });

  it('the grants of a player are read in the cell of the player', async () => {
    const playerID = playerOf(fleet, operator.code, [2]);
    const terms = { gameIDs: ['fixture'], mode: 'BASE', bets: { USD: 1_000_000 }, rounds: 1 };
    const endsAt = new Date(Date.now() + 3_600_000).toISOString();
    const grants = [1, 2].map(() => ({ grantID: `grant-${randomUUID()}`, playerID, currency: 'USD' }));
    expect((await client.giveGrants({ terms: { ...terms, endsAt }, grants })).status).toBe(200);
    const first = await client.grants({ playerID, limit: 1 });
    expect([first.status, cellOf(first), first.body.grants.length], first.text).toEqual([200, '2', 1]);
    const second = await client.grants({ playerID, limit: 1, cursor: first.body.cursor });
    expect([second.status, second.body.grants.length], second.text).toEqual([200, 1]);
    expect(second.body.grants[0].grantID).not.toBe(first.body.grants[0].grantID);
  });
});
