import path from 'node:path';
import { publishMath } from '@roundhouse/math';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { writeFixtureGame } from '../support/fixtureGame.ts';
import { type ServingNode, startServing } from '../support/servingNode.ts';
import { expectRefusal } from '../support/snapshot.ts';

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

describe('an outcome forced by kind, in a game where one mode only loses and the others only win', () => {
  const server = useCheckedServer();
  let node: ServingNode;
  let removeGame: () => Promise<void>;

  beforeAll(async () => {
    const game = await writeFixtureGame({ id: 'kinds' });
    removeGame = game.remove;
    await publishMath(path.join(game.folder, 'math'), [mode('BASE', 0), mode('BONUS', 150), mode('AUTO', 20)]);
    node = await startServing(server, { folders: [game.folder], storeFolder: game.storeFolder });
  });
  afterAll(async () => {
    await node.close();
    await removeGame();
  });

  const force = async (body: object) => node.post('/game/force', { sessionID: await node.liveSession(), ...body });

  it.each([
    { kind: 'small', mode: 'BASE' },
    { kind: 'big' },
    { kind: 'max' },
    { kind: 'loss', mode: 'BONUS' },
    { kind: 'small', mode: 'BONUS' },
  ])('is refused where there is none: %j', async (body) => {
    expectRefusal(await force(body), 'ERR_VAL', 'no book of this kind');
  });

  it.each([
    { kind: 'loss', mode: 'BASE' },
    { kind: 'small', mode: 'AUTO' },
    { kind: 'big', mode: 'BONUS' },
    { kind: 'max', mode: 'BONUS' },
  ])('is there: %j', async (body) => {
    expect((await force(body)).body).toMatchObject({ mode: body.mode });
  });

  it('is for a feature one of the few long books, which the next play shows', async () => {
    const sessionID = await node.liveSession();
    const { body } = await node.post('/game/force', { sessionID, kind: 'feature', mode: 'BONUS' });
    expect(body.bookID).toBeGreaterThanOrEqual(297);
    const played = await node.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BONUS' });
    expect(played.body.round.state).toEqual(LONG);
  });
});
