import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { loadCatalogue } from '../../src/games/loadCatalogue.ts';
import { reinstateVersion, withdrawVersion } from '../../src/ledger/queries/games.ts';
import { switchMaintenanceOff, switchMaintenanceOn } from '../../src/ledger/queries/maintenance.ts';
import { addHouseOperator, launchBody, operatorClient } from '../operator/operatorClient.ts';
import { BOOK, writeFixtureGame } from '../support/fixtureGame.ts';
import { HOUR_MS } from '../support/moveTime.ts';
import { expectRefused } from '../support/snapshot.ts';
import { ENDPOINTS, type GameNode, OPENING, serveGames, UNIT, useTestServer } from '../support/testServer.ts';
import { gameFileOf, writeStudioFolder } from '../support/writeStudioFolder.ts';

/** It serves version 1.0.0 alone. */
const server = useTestServer();
let both: GameNode;
let onlyNew: GameNode;

beforeAll(async () => {
  const old = await writeFixtureGame();
  // The same mode and the same book id, with another outcome.
  const next = await writeStudioFolder({
    name: 'fixture',
    books: [{ id: BOOK.pays150, payoutMultiplier: 700, events: '[{"version":"2.0.0"}]' }],
    gameFile: gameFileOf({ id: 'fixture', version: '2.0.0' }),
  });
  both = await serveGames(server, [old, next]);
  // Here the old version is one that was published before and whose books are still on disk.
  onlyNew = await serveGames(server, [{ ...next, storeFolder: old.storeFolder }]);
});
afterAll(async () => {
  await onlyNew.close();
  await both.close();
});

describe.each([
  { name: 'a node that serves both versions', node: () => both },
  { name: 'a node that serves the new version only', node: () => onlyNew },
])('a round that was opened on the old version, on $name', ({ name, node }) => {
  const token = `player of ${name}`;

  it('is resumed by a session of the new version, with the book it was played on, and ended', async () => {
    const sessionID = await server.liveSession({ token });
    const { round } = (await server.playBook(sessionID, BOOK.pays150)).body;

    const { url, sessionID: relaunched } = (await node().post('/session/start', { token })).body;
    expect(new URL(url).pathname).toBe('/fixture/2.0.0/index.html');
    const entered = await node().post('/wallet/authenticate', { sessionID: relaunched });
    expect(entered.body.round).toEqual(round);
    expect(entered.body.config.maxBet).toBe(10 * UNIT);
    const bet = { sessionID: relaunched, amount: UNIT, mode: 'BASE' };
    await expectRefused(node(), { path: '/wallet/play', body: bet }, 'ERR_VAL');
    await node().post('/bet/event', { sessionID: relaunched, event: 'picked:1' });
    const ended = await node().post('/wallet/end-round', { sessionID: relaunched });
    expect(ended.body.balance.amount).toBe(OPENING - UNIT + 1_500_000);
    const after = await node().post('/wallet/authenticate', { sessionID: relaunched });
    expect(after.body.round).toEqual({ ...round, active: false, event: 'picked:1' });

    const played = await node().post('/wallet/play', bet);
    expect(played.body.round).toMatchObject({ payoutMultiplier: 7, state: [{ version: '2.0.0' }] });
    const { body } = await node().post('/wallet/end-round', { sessionID: relaunched });
    expect(body.balance.amount).toBe(OPENING - UNIT + 1_500_000 - UNIT + 7 * UNIT);
  });

  it('is replayed as it was published', async () => {
    const old = await node().send(`/bet/replay/fixture/1.0.0/BASE/${BOOK.pays150}`);
    expect([old.status, old.body.payoutMultiplier]).toEqual([200, 1.5]);
    const next = await node().send(`/bet/replay/fixture/2.0.0/BASE/${BOOK.pays150}`);
    expect([next.status, next.body.payoutMultiplier]).toEqual([200, 7]);
  });
});

describe('a session of the old version', () => {
  it('continues where its version is served', async () => {
    const sessionID = await server.liveSession();
    const entered = await both.post('/wallet/authenticate', { sessionID });
    expect(entered.body.config.maxBet).toBe(100 * UNIT);
    const { body } = await both.playBook(sessionID, BOOK.pays150);
    expect(body.round.payoutMultiplier).toBe(1.5);
    await both.post('/wallet/end-round', { sessionID });
  });

  it('has ended where its version is no longer served', async () => {
    const sessionID = await server.liveSession();
    await expectRefused(onlyNew, { path: '/wallet/authenticate', body: { sessionID } }, 'ERR_IS');
    await expectRefused(onlyNew, { path: '/wallet/play', body: { sessionID, amount: UNIT, mode: 'BASE' } }, 'ERR_IS');
    expect((await server.post('/wallet/authenticate', { sessionID })).status).toBe(200);
  });

  it('gets maintenance first, also where its version is no longer served', async () => {
    const sessionID = await server.liveSession();
    await switchMaintenanceOn(server.db, { scope: 'server', target: '', level: 'nothing_at_all' });
    try {
      for (const { path, more } of ENDPOINTS) {
        await expectRefused(onlyNew, { path, body: { sessionID, ...more } }, 'ERR_MAINTENANCE');
      }
    } finally {
      await switchMaintenanceOff(server.db, { scope: 'server', target: '' });
    }
  });
});

describe('a version that was withdrawn', () => {
  const withdraw = (version: string, at?: Date) => withdrawVersion(server.db, { gameID: 'fixture', version, at });
  const reinstate = (version: string) => reinstateVersion(server.db, { gameID: 'fixture', version });
  afterEach(async () => {
    for (const version of ['1.0.0', '2.0.0']) expect(await reinstate(version)).toBe(true);
  });

  it('takes no new rounds; what is open is finished', async () => {
    const [sessionID, idle] = [await server.liveSession(), await server.liveSession()];
    const { round } = (await server.playBook(sessionID, BOOK.pays150)).body;
    await withdraw('1.0.0');
    const bet = { amount: UNIT, mode: 'BASE' };
    for (const each of [sessionID, idle])
      await expectRefused(server, { path: '/wallet/play', body: { sessionID: each, ...bet } }, 'ERR_MAINTENANCE');
    expect((await server.post('/wallet/authenticate', { sessionID })).body.round).toEqual(round);
    const ended = await server.post('/wallet/end-round', { sessionID });
    expect(ended.body.balance.amount).toBe(OPENING - UNIT + 1_500_000);
    await reinstate('1.0.0');
    await withdraw('1.0.0', new Date(Date.now() + HOUR_MS));
    expect((await server.post('/wallet/play', { sessionID, ...bet })).status).toBe(200);
  });

  it('is launched only when no other version of its game is served, and then listed no more', async () => {
    const client = operatorClient(both.url, await addHouseOperator(server.db));
    const offered = async () => {
      const { games } = (await client.games()).body;
      const { url } = (await client.launch(launchBody())).body;
      return [games.map(({ version }: { version: string }) => version), new URL(url).pathname.split('/')[2]];
    };
    expect(await offered()).toEqual([['2.0.0'], '2.0.0']);
    await withdraw('2.0.0', new Date(Date.now() + HOUR_MS));
    expect(await offered()).toEqual([['2.0.0'], '2.0.0']);
    await withdraw('2.0.0');
    expect(await offered()).toEqual([['1.0.0'], '1.0.0']);
    await withdraw('1.0.0');
    expect(await offered()).toEqual([[], '2.0.0']);
  });

  it('is named when a node loads it', async () => {
    await withdraw('1.0.0');
    const game = await writeFixtureGame();
    onTestFinished(game.remove);
    const warnings: string[] = [];
    const folders = { folders: [game.folder], storeFolder: game.storeFolder };
    const loaded = await loadCatalogue({ db: server.db, ...folders, warn: (message) => warnings.push(message) });
    if (loaded.ok) await loaded.catalogue.close();
    expect(warnings.join('\n')).toMatch(/^Version 1\.0\.0 of game fixture is withdrawn from 20\S+ on: then/m);
  });
});

it('a play with a used key returns its round, also under bet rules that have changed since', async () => {
  const node = await serveGames(server, [await writeFixtureGame({ maxBet: 10 * UNIT })]);
  onTestFinished(node.close);
  const sessionID = await server.liveSession();
  const body = { sessionID, amount: 50 * UNIT, mode: 'BASE' };
  const first = await server.post('/wallet/play', body, { 'Idempotency-Key': 'k' });
  const again = await node.post('/wallet/play', body, { 'Idempotency-Key': 'k' });
  expect(again.body).toEqual(first.body);
  await node.post('/wallet/end-round', { sessionID });
  await expectRefused(node, { path: '/wallet/play', body }, 'ERR_VAL');
});

it('a session in a currency that is no longer offered is not served, and its bets are refused', async () => {
  const sessionID = await server.liveSession();
  const jpyOnly = await writeFixtureGame();
  const file = path.join(jpyOnly.folder, 'game.json');
  const { betLimits, ...rest } = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...rest, betLimits: { JPY: betLimits.JPY } }));
  const node = await serveGames(server, [jpyOnly]);
  onTestFinished(node.close);
  const body = { sessionID, amount: UNIT, mode: 'BASE' };
  await expectRefused(node, { path: '/wallet/authenticate', body: { sessionID } }, 'ERR_IS', 'version 1.0.0 of game');
  await expectRefused(node, { path: '/wallet/play', body }, 'ERR_VAL', 'the game is not offered in USD');
});
