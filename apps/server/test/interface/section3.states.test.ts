import { describe, expect, test } from 'vitest';
import { ENDPOINTS, OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { expectRefused, snapshot } from '../support/snapshot.ts';

const server = useCheckedServer();

const states = async (sessionID: string) =>
  (await snapshot(server, sessionID)).rounds.map(({ closed_at }) => (closed_at === null ? 'active' : 'completed'));

describe('3. States and transitions', () => {
  test('row 1: no active round → POST /wallet/play → round active: the bet is debited; response carries new balance and round', async () => {
    const sessionID = await server.liveSession();
    expect(await states(sessionID)).toEqual([]);
    const { body } = await server.playBook(sessionID, BOOK.pays150, { mode: 'ANTE' });
    expect(body.balance).toEqual({ amount: OPENING - 1_250_000, currency: 'USD' });
    expect(body.round).toMatchObject({ active: true, amount: UNIT, costMultiplier: 1.25 });
    expect(await states(sessionID)).toEqual(['active']);
  });

  test('row 1: the state before may also be a completed round', async () => {
    const sessionID = await server.liveSession();
    await server.playBook(sessionID, BOOK.pays150);
    await server.post('/wallet/end-round', { sessionID });
    const { body } = await server.playBook(sessionID, BOOK.pays0);
    expect(body.balance.amount).toBe(OPENING - UNIT + 1.5 * UNIT - UNIT);
    expect(await states(sessionID)).toEqual(['completed', 'active']);
  });

  test.each([
    { condition: 'valid session', change: { sessionID: 'never-issued' }, code: 'ERR_IS' as const },
    { condition: 'valid bet', change: { amount: 250_000 }, code: 'ERR_VAL' as const },
    { condition: 'sufficient balance', change: { mode: 'ANTE' }, code: 'ERR_IPB' as const },
  ])('row 1: without a $condition there is no round and no debit', async ({ change, code }) => {
    const sessionID = await server.liveSession({ balance: UNIT });
    const body = { sessionID, amount: UNIT, mode: 'BASE', ...change };
    await expectRefused(server, { path: '/wallet/play', body }, code);
    expect(await states(sessionID)).toEqual([]);
  });

  test('row 2: round active → POST /wallet/end-round → round completed: payout is triggered; response carries balance', async () => {
    const sessionID = await server.liveSession();
    await server.playBook(sessionID, BOOK.pays150);
    const ended = await server.post('/wallet/end-round', { sessionID });
    expect(ended.body).toEqual({ balance: { amount: OPENING + 500_000, currency: 'USD' } });
    expect(await states(sessionID)).toEqual(['completed']);
  });

  test('row 2: a round that pays nothing is completed too, without a transfer', async () => {
    const sessionID = await server.liveSession();
    await server.playBook(sessionID, BOOK.pays0);
    const before = await snapshot(server, sessionID);
    const ended = await server.post('/wallet/end-round', { sessionID });
    expect(ended.body.balance.amount).toBe(OPENING - UNIT);
    expect(await states(sessionID)).toEqual(['completed']);
    expect((await snapshot(server, sessionID)).counts).toEqual(before.counts);
  });

  test('row 2: all activity for the round ends', async () => {
    const sessionID = await server.liveSession();
    await server.playBook(sessionID, BOOK.pays150);
    await server.post('/wallet/end-round', { sessionID });
    await expectRefused(server, { path: '/bet/event', body: { sessionID, event: 'late' } }, 'ERR_VAL');
    const { body } = await server.post('/wallet/authenticate', { sessionID });
    expect(body.round).toMatchObject({ active: false, event: null });
  });

  test('row 3: round active → POST /bet/event → round active: the action is recorded for resumption', async () => {
    const sessionID = await server.liveSession();
    await server.playBook(sessionID, BOOK.pays150);
    const before = await snapshot(server, sessionID);
    await server.post('/bet/event', { sessionID, event: 'picked:3' });
    expect(await states(sessionID)).toEqual(['active']);
    const after = await snapshot(server, sessionID);
    expect(after.events.map(({ event }) => event)).toEqual(['picked:3']);
    expect(after.accounts).toEqual(before.accounts);
    const { body } = await server.post('/wallet/authenticate', { sessionID });
    expect(body.round).toMatchObject({ active: true, event: 'picked:3' });
  });

  test('row 4: any → POST /wallet/authenticate → unchanged: no duplicate session, no reset of the active round', async () => {
    const sessionID = await server.newSession();
    const steps = [
      async () => {},
      () => server.playBook(sessionID, BOOK.pays150),
      () => server.post('/bet/event', { sessionID, event: 'picked:3' }),
      () => server.post('/wallet/end-round', { sessionID }),
    ];
    const shown: unknown[] = [];
    await server.post('/wallet/authenticate', { sessionID });
    for (const step of steps) {
      await step();
      const before = await snapshot(server, sessionID);
      const answers = [
        await server.post('/wallet/authenticate', { sessionID }),
        await server.post('/wallet/authenticate', { sessionID }),
      ];
      expect(answers[1]?.body).toEqual(answers[0]?.body);
      const { session, ...after } = await snapshot(server, sessionID);
      expect(after).toEqual({
        counts: before.counts,
        accounts: before.accounts,
        rounds: before.rounds,
        events: before.events,
      });
      expect(session?.state).toBe('authenticated');
      const { active, event } = answers[0]?.body.round ?? {};
      shown.push([active, event]);
    }
    expect(shown).toEqual([
      [undefined, undefined],
      [true, null],
      [true, 'picked:3'],
      [false, 'picked:3'],
    ]);
  });

  test.each(ENDPOINTS)('rows 1 to 4, condition: $path needs a valid session', async ({ path, more }) => {
    await expectRefused(server, { path, body: { sessionID: 'never-issued', ...more } }, 'ERR_IS');
  });

  test('the frontend resumes the active round of authenticate: another play does not take its place', async () => {
    const sessionID = await server.liveSession();
    const { round } = (await server.playBook(sessionID, BOOK.pays150)).body;
    await expectRefused(server, { path: '/wallet/play', body: { sessionID, amount: UNIT, mode: 'BASE' } }, 'ERR_VAL');
    const { body } = await server.post('/wallet/authenticate', { sessionID });
    expect(body.round).toEqual(round);
  });

  test('authenticate returns the current active round, or the last completed one', async () => {
    const sessionID = await server.liveSession();
    const shown: unknown[] = [];
    for (const book of [BOOK.pays150, BOOK.pays20]) {
      const { round } = (await server.playBook(sessionID, book)).body;
      const during = (await server.post('/wallet/authenticate', { sessionID })).body.round;
      await server.post('/wallet/end-round', { sessionID });
      const after = (await server.post('/wallet/authenticate', { sessionID })).body.round;
      expect(during).toEqual(round);
      expect(after).toEqual({ ...round, active: false });
      shown.push(after.payoutMultiplier);
    }
    expect(shown).toEqual([1.5, 0.2]);
  });
});
