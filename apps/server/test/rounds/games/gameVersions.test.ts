import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { loadCatalogue } from '../../../src/rounds/games/loadCatalogue.ts';
import { reinstateVersion, withdrawVersion } from '../../../src/store/rounds/games.ts';
import { switchMaintenanceOff, switchMaintenanceOn } from '../../../src/store/rounds/maintenance.ts';
import { addHouseOperator, launchBody, operatorClient } from '../../operators/api/operatorClient.ts';
import { BOOK, writeFixtureGame } from '../../support/fixtureGame.ts';
import { HOUR_MS } from '../../support/moveTime.ts';
import { expectAllRefused, expectPlayRefused, expectRefused } from '../../support/snapshot.ts';
import { type GameNode, OPENING, serveGames, UNIT, useTestServer } from '../../support/testServer.ts';
import { gameFileOf, writeStudioFolder } from '../../support/writeStudioFolder.ts';

/** It serves version 1.0.0 alone. */
const server = useTestServer();
let both: GameNode;
let onlyNew: GameNode;

beforeAll(async () => {
  const old = await writeFixtureGame();
  // It has the same mode and the same book id, with another outcome.
  const next = await writeStudioFolder({
    name: 'fixture',
    books: [{ id: BOOK.pays150, payoutMultiplier: 700, events: '[{"version":"2.0.0"}]' }],
    gameFile: gameFileOf({ id: 'fixture', version: '2.0.0' }),
  });
  both = await serveGames(server, [old, next]);
  // Here the old version is one that was published before and whose books are still on disk.
  onlyNew = await serveGames(server, [{ ...next, storeFolder: old.storeFolder }]);
});

describe.each([
  { name: 'a node that serves both versions', node: () => both },
  { name: 'a node that serves the new version only', node: () => onlyNew },
])('a round that was opened on the old version, on $name', ({ name, node }) => {
  const token = `player of ${name}`;

  it('is resumed by a session of the new version, with the book it was played on, and ended', async () => {
    const { round } = (await server.playBook(await server.liveSession({ token }), BOOK.pays150)).body;

    const { url, sessionID } = (await node().post('/session/start', { token })).body;
    expect(new URL(url).pathname).toBe('/fixture/2.0.0/index.html');
    const entered = await node().authenticate(sessionID);
    expect([entered.body.round, entered.body.config.maxBet]).toEqual([round, 10 * UNIT]);
    await expectPlayRefused(node(), sessionID, {}, 'ERR_VAL');
    await node().record(sessionID, 'picked:1');
    expect((await node().endRound(sessionID)).body.balance.amount).toBe(OPENING + 500_000);
    expect(await node().roundOf(sessionID)).toEqual({ ...round, active: false, event: 'picked:1' });

    const played = await node().play(sessionID);
    expect(played.body.round).toMatchObject({ payoutMultiplier: 7, state: [{ version: '2.0.0' }] });
    expect((await node().endRound(sessionID)).body.balance.amount).toBe(OPENING + 500_000 + 6 * UNIT);
  });

  it('and any other of either version is replayed as it was published', async () => {
    const replay = (version: string) => node().send(`/bet/replay/fixture/${version}/BASE/${BOOK.pays150}`);
    expect((await replay('1.0.0')).body.payoutMultiplier).toBe(1.5);
    expect((await replay('2.0.0')).body.payoutMultiplier).toBe(7);
  });
});

describe('a session of the old version', () => {
  it('continues where its version is served', async () => {
    const sessionID = await server.liveSession();
    expect((await both.authenticate(sessionID)).body.config.maxBet).toBe(100 * UNIT);
    expect((await both.playBook(sessionID, BOOK.pays150)).body.round.payoutMultiplier).toBe(1.5);
  });

  it('has ended where its version is no longer served; maintenance comes first', async () => {
    const sessionID = await server.liveSession();
    await expectRefused(onlyNew, { path: '/wallet/authenticate', body: { sessionID } }, 'ERR_IS');
    await expectPlayRefused(onlyNew, sessionID, {}, 'ERR_IS');
    expect((await server.authenticate(sessionID)).status).toBe(200);
    await switchMaintenanceOn(server.db, { scope: 'server', target: '', level: 'nothing_at_all' });
    onTestFinished(async () => void (await switchMaintenanceOff(server.db, { scope: 'server', target: '' })));
    await expectAllRefused(onlyNew, sessionID, 'ERR_MAINTENANCE');
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
    for (const each of [sessionID, idle]) await expectPlayRefused(server, each, {}, 'ERR_MAINTENANCE');
    expect(await server.roundOf(sessionID)).toEqual(round);
    expect((await server.endRound(sessionID)).body.balance.amount).toBe(OPENING + 500_000);
    await reinstate('1.0.0');
    await withdraw('1.0.0', new Date(Date.now() + HOUR_MS));
    expect((await server.play(sessionID)).status).toBe(200);
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
    const { folder, storeFolder, remove } = await writeFixtureGame();
    onTestFinished(remove);
    const warnings: string[] = [];
    const warn = (message: string) => void warnings.push(message);
    const loaded = await loadCatalogue({ db: server.db, folders: [folder], storeFolder, warn });
    if (loaded.ok) await loaded.catalogue.close();
    expect(warnings.join('\n')).toMatch(/^Version 1\.0\.0 of game fixture is withdrawn from 20\S+ on: then/m);
  });
});

it('a play with a used key returns its round, also under bet rules that have changed since', async () => {
  const node = await serveGames(server, [await writeFixtureGame({ maxBet: 10 * UNIT })]);
  const sessionID = await server.liveSession();
  const bet = { amount: 50 * UNIT };
  const first = await server.play(sessionID, bet, 'k');
  expect((await node.play(sessionID, bet, 'k')).body).toEqual(first.body);
  await node.endRound(sessionID);
  await expectPlayRefused(node, sessionID, bet, 'ERR_VAL');
});

it('a session in a currency that is no longer offered is not served, and its bets are refused', async () => {
  const sessionID = await server.liveSession();
  const jpyOnly = await writeFixtureGame();
  const file = path.join(jpyOnly.folder, 'game.json');
  const { betLimits, ...rest } = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...rest, betLimits: { JPY: betLimits.JPY } }));
  const node = await serveGames(server, [jpyOnly]);
  await expectRefused(node, { path: '/wallet/authenticate', body: { sessionID } }, 'ERR_IS', 'version 1.0.0 of game');
  await expectPlayRefused(node, sessionID, {}, 'ERR_VAL', 'the game is not offered in USD');
});
