import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { createStoreFolder, type ServingNode, startServing } from '../support/servingNode.ts';
import { expectRefused, snapshot } from '../support/snapshot.ts';
import { gameFileOf, type StudioFolder, writeStudioFolder } from '../support/writeStudioFolder.ts';

const server = useCheckedServer();

const books = [
  { id: 1, payoutMultiplier: 0, events: '[{"index":0}]' },
  { id: 2, payoutMultiplier: 200, events: '[{"index":0}]' },
];
const shelf = (autoEndRoundDisabled: boolean) => ({ bookShelfConfig: [{ name: 'base', autoEndRoundDisabled }] });

/** Who decides whether a round that pays nothing stays active: each folder is a game of its own. */
const GAMES: (Omit<StudioFolder, 'books'> & { closes: boolean })[] = [
  { name: 'bare', closes: true },
  { name: 'bare-told-to-close', config: shelf(false), closes: true },
  { name: 'bare-told-to-wait', config: shelf(true), closes: false },
  { name: 'described', gameFile: gameFileOf({ id: 'described' }), closes: false },
  {
    name: 'described-and-told',
    gameFile: gameFileOf({ id: 'described-and-told' }),
    config: shelf(false),
    closes: true,
  },
  {
    name: 'decided-to-wait',
    gameFile: gameFileOf({ id: 'decided-to-wait', modes: { base: { autoClose: false } } }),
    config: shelf(false),
    closes: false,
  },
  {
    name: 'decided-to-close',
    gameFile: gameFileOf({ id: 'decided-to-close', modes: { BASE: { autoClose: true } } }),
    config: shelf(true),
    closes: true,
  },
];

let node: ServingNode;
const cleanUp: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  const store = await createStoreFolder();
  const written = await Promise.all(GAMES.map((game) => writeStudioFolder({ ...game, books })));
  node = await startServing(server, { folders: written.map(({ folder }) => folder), storeFolder: store.folder });
  cleanUp.push(node.close, store.remove, ...written.map(({ remove }) => remove));
});
afterAll(async () => {
  for (const step of cleanUp) await step();
});

describe('play: auto-close', () => {
  test('by default a round stays active until end-round, also one that pays nothing', async () => {
    const sessionID = await server.liveSession();
    const { body } = await server.playBook(sessionID, BOOK.pays0, { mode: 'BASE' });
    expect(body.round.active).toBe(true);
    await expectRefused(server, { path: '/wallet/play', body: { sessionID, amount: UNIT, mode: 'BASE' } }, 'ERR_VAL');
  });

  test('in a mode that sets it a round that pays nothing is completed by play itself', async () => {
    const sessionID = await server.liveSession();
    const { body } = await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
    expect(body.round).toMatchObject({ active: false, payout: 0, mode: 'AUTO' });
    expect(body.balance.amount).toBe(OPENING - UNIT);
    expect((await server.post('/wallet/authenticate', { sessionID })).body.round).toEqual(body.round);
    await expectRefused(server, { path: '/bet/event', body: { sessionID, event: 'late' } }, 'ERR_VAL');

    const before = await snapshot(server, sessionID);
    expect((await server.post('/wallet/end-round', { sessionID })).body).toEqual({ balance: body.balance });
    expect((await snapshot(server, sessionID)).counts).toEqual(before.counts);
    expect((await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' })).body.balance.amount).toBe(
      OPENING - 2 * UNIT,
    );
  });

  test('in such a mode a round that pays stays active until end-round', async () => {
    const sessionID = await server.liveSession();
    const { body } = await server.playBook(sessionID, BOOK.pays20, { mode: 'AUTO' });
    expect(body.round.active).toBe(true);
    const ended = await server.post('/wallet/end-round', { sessionID });
    expect(ended.body.balance.amount).toBe(OPENING - UNIT + 200_000);
  });

  test('a play that is repeated with its key shows the completed round again', async () => {
    const sessionID = await server.liveSession();
    await server.post('/game/force', { sessionID, mode: 'AUTO', bookID: BOOK.pays0 });
    const body = { sessionID, amount: UNIT, mode: 'AUTO' };
    const first = await server.post('/wallet/play', body, { 'Idempotency-Key': 'auto' });
    const again = await server.post('/wallet/play', body, { 'Idempotency-Key': 'auto' });
    expect(first.body.round.active).toBe(false);
    expect(again.text).toBe(first.text);
  });

  test.each(GAMES)('$name: a round that pays nothing closes itself: $closes', async ({ name, closes }) => {
    const sessionID = await node.liveSession({ gameID: name });
    const lost = await node.playBook(sessionID, 1);
    expect(lost.body.round.active).toBe(!closes);
    await node.post('/wallet/end-round', { sessionID });
    const won = await node.playBook(sessionID, 2);
    expect(won.body.round.active).toBe(true);
    const ended = await node.post('/wallet/end-round', { sessionID });
    expect(ended.body.balance.amount).toBe(OPENING);
  });
});
