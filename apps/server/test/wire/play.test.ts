import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../src/games/loadCatalogue.ts';
import { checkedClient, OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { createStoreFolder } from '../support/servingNode.ts';
import { balanceOf, expectRefused, snapshot } from '../support/snapshot.ts';
import { gameFileOf, writeStudioFolder } from '../support/writeStudioFolder.ts';

const server = useCheckedServer();
const bet = (sessionID: string, amount = UNIT, mode = 'BASE') => ({ sessionID, amount, mode });

describe('play', () => {
  test.each(['BASE', 'base', 'bAsE', 'Ante', 'ANTE', 'ante', 'bonus'])(
    'mode is matched without regard to case: %s',
    async (mode) => {
      const { status, body } = await server.post('/wallet/play', bet(await server.liveSession(), UNIT, mode));
      expect([status, body.round.mode]).toEqual([200, mode.toUpperCase()]);
    },
  );

  test.each(['', ' BASE', 'BASE ', 'SUPER', 'constructor', '__proto__', 'x'.repeat(65)])(
    'an unknown mode is ERR_VAL: %j',
    async (mode) => {
      const sessionID = await server.liveSession();
      await expectRefused(server, { path: '/wallet/play', body: bet(sessionID, UNIT, mode) }, 'ERR_VAL');
    },
  );

  test.each([
    [200_000, 250_000],
    [300_000, 375_000],
    [700_000, 875_000],
    [1_100_000, 1_375_000],
    [99_900_000, 124_875_000],
  ])('the debit of %i at a cost of 1.25 is %i exactly', async (amount, debit) => {
    const sessionID = await server.liveSession();
    const { body } = await server.post('/wallet/play', bet(sessionID, amount, 'ANTE'));
    expect(body.balance.amount).toBe(OPENING - debit);
    expect((await snapshot(server, sessionID)).rounds[0]).toMatchObject({ amount_micros: amount, debit_micros: debit });
  });

  test.each([
    [BOOK.pays150, 700_000, 1_050_000],
    [BOOK.pays20, 300_000, 60_000],
    [BOOK.pays100000, 99_900_000, 99_900_000_000],
  ])('book %i pays on %i exactly %i', async (book, amount, payout) => {
    const sessionID = await server.liveSession();
    const { body } = await server.playBook(sessionID, book, { amount });
    expect(body.round.payout).toBe(payout);
    await server.post('/wallet/end-round', { sessionID });
    expect(await balanceOf(server, sessionID)).toBe(OPENING - amount + payout);
  });

  test('a game with a bet whose payout is not a whole number is refused when it is loaded', async () => {
    const limits = { minBet: 10, maxBet: 100, stepBet: 10, defaultBetLevel: 10, betLevels: [] };
    const books = [{ id: 1, payoutMultiplier: 115, events: '[{}]' }];
    const store = await createStoreFolder();
    const refused = await writeStudioFolder({
      name: 'inexact',
      books,
      gameFile: gameFileOf({ id: 'inexact', betLimits: { default: limits } }),
    });
    const load = (folder: string) =>
      loadCatalogue({ db: server.db, folders: [folder], storeFolder: store.folder, warn: () => {} });
    const loaded = await load(refused.folder);
    expect(loaded.ok ? [] : loaded.faults).toEqual([
      expect.stringContaining('stepBet 10 × payout multiplier 115/100 is not a whole number of micros'),
    ]);
    await refused.remove();
    await store.remove();
  });
});

describe('play: one round at a time', () => {
  test('while a round is active play is ERR_VAL, in the same mode and in another, and nothing moves', async () => {
    const sessionID = await server.liveSession();
    await server.playBook(sessionID, BOOK.pays150);
    for (const mode of ['BASE', 'AUTO']) {
      await expectRefused(server, { path: '/wallet/play', body: bet(sessionID, UNIT, mode) }, 'ERR_VAL');
    }
    await server.post('/wallet/end-round', { sessionID });
    expect((await server.post('/wallet/play', bet(sessionID))).status).toBe(200);
  });

  test('also from another session of the same player', async () => {
    await server.playBook(await server.liveSession({ token: 'two-windows' }), BOOK.pays150);
    const second = await server.liveSession({ token: 'two-windows' });
    await expectRefused(server, { path: '/wallet/play', body: bet(second) }, 'ERR_VAL');
  });

  test('of two plays at once, on one node or two, from one session or two, exactly one opens a round', async () => {
    const node = await server.startNode();
    const other = checkedClient(node.url);
    for (const [left, right] of [
      [server, server],
      [server, other],
    ] as const) {
      const token = `at-once-${left === right}`;
      const sessions = [await server.liveSession({ token }), await server.liveSession({ token })] as const;
      for (const [first, second] of [[sessions[0], sessions[0]], sessions] as const) {
        const before = await snapshot(server, first);
        const answers = await Promise.all([
          left.post('/wallet/play', bet(first)),
          right.post('/wallet/play', bet(second)),
        ]);
        expect(answers.map(({ body }) => body.error ?? 'opened').sort()).toEqual(['ERR_VAL', 'opened']);
        const after = await snapshot(server, first);
        expect(after.counts.rounds - before.counts.rounds).toBe(1);
        expect(after.counts.transfers - before.counts.transfers).toBe(1);
        expect(after.accounts[0]?.balance_micros).toBe((before.accounts[0]?.balance_micros ?? 0) - UNIT);
        await server.post('/wallet/end-round', { sessionID: first });
      }
    }
    await node.close();
  });
});
