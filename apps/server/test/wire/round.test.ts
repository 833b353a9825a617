import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { createStoreFolder, type ServingNode, startServing } from '../support/servingNode.ts';
import { gameFileOf, writeStudioFolder } from '../support/writeStudioFolder.ts';

const server = useCheckedServer();

/** Texts that another JSON writer would write otherwise: numbers, escapes, spaces, keys that repeat. */
const EVENTS = [
  '[{"index":0,"amount":1.0,"tiny":1e-7,"big":9007199254740993,"exp":1E2,"minus":-0}]',
  '[ {"type" : "reveal",  "name":"\\u00e4\\/\\ud83c\\udfb0"} , {"b":1,"a":2,"b":3,"10":1,"9":2,"__proto__":{}} ]',
  '[{"type":"win","board":[["Ä","漢","🎰"],[],[null,true,false]],"text":"\\"state\\":[]}"}]',
];

let node: ServingNode;
const cleanUp: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  const store = await createStoreFolder();
  const books = EVENTS.map((events, index) => ({ id: index + 1, payoutMultiplier: index * 100, events }));
  const game = await writeStudioFolder({ name: 'bytes', books, gameFile: gameFileOf({ id: 'bytes' }) });
  node = await startServing(server, { folders: [game.folder], storeFolder: store.folder });
  cleanUp.push(node.close, store.remove, game.remove);
});
afterAll(async () => {
  for (const step of cleanUp) await step();
});

/** The text of the answer's `state`, which is always the last field. */
const stateText = (text: string) => /"state":(.*?)\}+(?:,"meta":null\})?$/s.exec(text)?.[1];

describe('Round', () => {
  test.each([
    { book: BOOK.pays150, mode: 'BASE', cost: 1, amount: UNIT, payout: 1_500_000, payoutMultiplier: 1.5 },
    { book: BOOK.pays20, mode: 'ANTE', cost: 1.25, amount: 300_000, payout: 60_000, payoutMultiplier: 0.2 },
    { book: BOOK.pays100000, mode: 'BONUS', cost: 100, amount: 200_000, payout: 200 * UNIT, payoutMultiplier: 1000 },
    { book: BOOK.pays0, mode: 'BASE', cost: 1, amount: UNIT, payout: 0, payoutMultiplier: 0 },
  ])('of book $book in $mode: every field', async ({ book, mode, cost, amount, payout, payoutMultiplier }) => {
    const sessionID = await server.liveSession();
    const { body } = await server.playBook(sessionID, book, { amount, mode });
    const published = { BASE: 'base', ANTE: 'Ante', BONUS: 'BONUS' }[mode];
    const board = [
      ['A', 'B'],
      ['Ä', '漢'],
    ];
    expect(body.round).toEqual({
      betID: expect.any(Number),
      amount,
      payout,
      payoutMultiplier,
      costMultiplier: cost,
      active: true,
      mode,
      event: null,
      state: [
        { index: 0, type: 'reveal', mode: published, board },
        { index: 1, type: 'finalWin', amount: payoutMultiplier * 100 },
      ],
    });
    expect(Number.isSafeInteger(body.round.betID)).toBe(true);
    const resumed = await server.post('/wallet/authenticate', { sessionID });
    expect(resumed.body.round).toEqual(body.round);
  });

  test('betID is another for each round', async () => {
    const sessionID = await server.liveSession();
    const betIDs: number[] = [];
    for (const _round of [1, 2, 3]) {
      betIDs.push((await server.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' })).body.round.betID);
      await server.post('/wallet/end-round', { sessionID });
    }
    expect(new Set(betIDs).size).toBe(3);
  });

  test('event is the last recorded one, and mode is upper case however it was asked for', async () => {
    const sessionID = await server.liveSession();
    const played = await server.playBook(sessionID, BOOK.pays150, { mode: 'ante' });
    expect(played.body.round).toMatchObject({ mode: 'ANTE', event: null });
    await server.post('/bet/event', { sessionID, event: 'one' });
    await server.post('/bet/event', { sessionID, event: 'two' });
    const { round } = (await server.post('/wallet/authenticate', { sessionID })).body;
    expect(round).toMatchObject({ mode: 'ANTE', event: 'two', active: true });
  });

  test.each(EVENTS.map((events, index) => ({ bookID: index + 1, events })))(
    'state is byte for byte the published one: $events',
    async ({ bookID, events }) => {
      const sessionID = await node.liveSession();
      const played = await node.playBook(sessionID, bookID);
      expect(stateText(played.text)).toBe(events);
      const resumed = await node.post('/wallet/authenticate', { sessionID });
      expect(stateText(resumed.text.replace(/,"meta":null\}$/, '}'))).toBe(events);
      const replayed = await node.send(`/bet/replay/bytes/1.0.0/BASE/${bookID}`);
      expect(stateText(replayed.text)).toBe(events);
    },
  );
});
