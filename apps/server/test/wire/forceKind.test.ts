import path from 'node:path';
import { publishMath } from '@roundhouse/math';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../src/games/loadCatalogue.ts';
import { openDatabase } from '../../src/ledger/database.ts';
import { setOperator } from '../../src/ledger/queries/operators.ts';
import { startServer } from '../../src/server.ts';
import { type CheckedClient, checkedClient, UNIT } from '../support/checkedServer.ts';
import { createTestDatabase } from '../support/database.ts';
import { invalid } from '../support/exactRefusals.ts';
import { writeFixtureGame } from '../support/fixtureGame.ts';
import { expectBooksBalance, OPERATOR } from '../support/testServer.ts';

const LONG = Array.from({ length: 40 }, (_, index) => ({ index, type: 'freeSpin' }));

/** A mode of 300 books that all pay this, of which three are long. */
function mode(name: string, payoutMultiplier: number) {
  const books = Array.from({ length: 300 }, (_, id) => ({
    id,
    payoutMultiplier,
    weight: 1,
    events: id >= 297 ? LONG : [{ index: 0, type: 'reveal' }],
  }));
  return { name, cost: 1, books };
}

describe('in a game where one mode only loses and the others only win', () => {
  let client: CheckedClient;
  const cleanUps: (() => unknown)[] = [];

  beforeAll(async () => {
    const database = await createTestDatabase();
    const game = await writeFixtureGame();
    await publishMath(path.join(game.folder, 'math'), [mode('BASE', 0), mode('BONUS', 150), mode('AUTO', 20)]);
    const db = openDatabase({ url: database.url });
    await setOperator(db, OPERATOR, {});
    const loaded = await loadCatalogue({ db, folders: [game.folder], storeFolder: game.storeFolder, warn: () => {} });
    if (!loaded.ok) throw new Error(loaded.faults.join('\n'));
    const log = pino({ level: 'silent' });
    const { catalogue } = loaded;
    const local = { operatorCode: OPERATOR };
    const server = await startServer({ db, catalogue, log, host: '127.0.0.1', port: 0, local });
    client = checkedClient(server.url);
    cleanUps.push(
      () => expectBooksBalance(db),
      () => server.close(),
      () => catalogue.close(),
      () => db.$disconnect(),
      () => database.drop(),
      () => game.remove(),
    );
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  const force = async (body: object) => client.post('/game/force', { sessionID: await client.liveSession(), ...body });

  test.each([
    { kind: 'small', mode: 'BASE' },
    { kind: 'big' },
    { kind: 'max' },
    { kind: 'loss', mode: 'BONUS' },
    { kind: 'small', mode: 'BONUS' },
  ])('there is none: %j', async (body) => {
    const { status, body: answer } = await force(body);
    expect({ status, body: answer }).toEqual(invalid('the mode has no book of this kind'));
  });

  test.each([
    { kind: 'loss', mode: 'BASE' },
    { kind: 'small', mode: 'AUTO' },
    { kind: 'big', mode: 'BONUS' },
    { kind: 'max', mode: 'BONUS' },
  ])('there is one: %j', async (body) => {
    expect((await force(body)).body).toMatchObject({ mode: body.mode });
  });

  test('a feature is one of the few long books, and the next play shows it', async () => {
    const sessionID = await client.liveSession();
    const { body } = await client.post('/game/force', { sessionID, kind: 'feature', mode: 'BONUS' });
    expect(body.bookID).toBeGreaterThanOrEqual(297);
    const played = await client.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BONUS' });
    expect(played.body.round.state).toEqual(LONG);
  });
});
