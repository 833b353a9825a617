import { describe, expect, test } from 'vitest';
import { OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { balanceOf, expectRefused, snapshot } from '../support/snapshot.ts';

const server = useCheckedServer();

describe('1. What the service does', () => {
  test('rule 1: validates the session that the operator platform issued at launch', async () => {
    const sessionID = await server.newSession();
    expect((await server.post('/wallet/authenticate', { sessionID })).status).toBe(200);
    await expectRefused(server, { path: '/wallet/authenticate', body: { sessionID: 'never-issued' } }, 'ERR_IS');
  });

  test('rule 2: starts a game round and debits the bet from the balance', async () => {
    const sessionID = await server.liveSession();
    const played = await server.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' });
    expect(played.status).toBe(200);
    expect(played.body.balance).toEqual({ amount: OPENING - UNIT, currency: 'USD' });
    expect(played.body.round.active).toBe(true);
    expect(await balanceOf(server, sessionID)).toBe(OPENING - UNIT);
  });

  test('rule 3: completes the round and triggers the payout', async () => {
    const sessionID = await server.liveSession();
    await server.playBook(sessionID, BOOK.pays150);
    const ended = await server.post('/wallet/end-round', { sessionID });
    expect(ended.body).toEqual({ balance: { amount: OPENING + 0.5 * UNIT, currency: 'USD' } });
    const { rounds } = await snapshot(server, sessionID);
    expect(rounds.map(({ closed_at }) => closed_at)).toEqual([expect.any(String)]);
    expect(await balanceOf(server, sessionID)).toBe(OPENING + 0.5 * UNIT);
  });

  test('rule 4: returns the current balance', async () => {
    const sessionID = await server.liveSession();
    const read = await server.post('/wallet/balance', { sessionID });
    expect(read.status).toBe(200);
    expect(read.body).toEqual({ balance: { amount: OPENING, currency: 'USD' } });
  });

  test('rule 5: records player actions during a round, so that gameplay resumes after a disconnect', async () => {
    const sessionID = await server.liveSession();
    const played = await server.playBook(sessionID, BOOK.pays150);
    await server.post('/bet/event', { sessionID, event: 'picked:3' });
    const resumed = await server.post('/wallet/authenticate', { sessionID });
    expect(resumed.body.round).toEqual({ ...played.body.round, event: 'picked:3' });
  });

  test('rule 6: returns the bet configuration (limits, levels, jurisdiction flags) on authentication', async () => {
    const sessionID = await server.newSession();
    const { body } = await server.post('/wallet/authenticate', { sessionID });
    expect(body.config).toMatchObject({
      minBet: 200_000,
      maxBet: 100 * UNIT,
      stepBet: 100_000,
      defaultBetLevel: UNIT,
      betLevels: [200_000, UNIT, 100 * UNIT],
      jurisdiction: { socialCasino: false, disabledFullscreen: false, disabledTurbo: false },
    });
  });
});

describe('1. Bet levels and bet modes', () => {
  test('rule 1: minBet, maxBet and stepBet of authenticate say which bets are valid (each edge: section 8)', async () => {
    const sessionID = await server.newSession();
    const { config } = (await server.post('/wallet/authenticate', { sessionID })).body;
    const valid = { path: '/wallet/play', body: { sessionID, amount: config.minBet, mode: 'BASE' } };
    await expectRefused(
      server,
      { ...valid, body: { ...valid.body, amount: config.minBet - config.stepBet } },
      'ERR_VAL',
    );
    expect((await server.post(valid.path, valid.body)).status).toBe(200);
  });

  test('rule 2: betLevels are all valid bets, and a valid bet need not be one of them', async () => {
    const sessionID = await server.newSession();
    const { config } = (await server.post('/wallet/authenticate', { sessionID })).body;
    expect(config.betLevels).not.toContain(300_000);
    for (const amount of [...config.betLevels, 300_000]) {
      const played = await server.post('/wallet/play', { sessionID, amount, mode: 'BASE' });
      expect(played.body.round.amount).toBe(amount);
      await server.post('/wallet/end-round', { sessionID });
    }
  });

  test('rule 3: a game defines several bet modes, each with a cost multiplier', async () => {
    const sessionID = await server.newSession();
    const { config } = (await server.post('/wallet/authenticate', { sessionID })).body;
    expect(config.betModes).toEqual({
      BASE: { mode: 'BASE', costMultiplier: 1, feature: false },
      ANTE: { mode: 'ANTE', costMultiplier: 1.25, feature: false },
      BONUS: { mode: 'BONUS', costMultiplier: 100, feature: true },
      AUTO: { mode: 'AUTO', costMultiplier: 1, feature: false },
    });
  });

  test.each([
    { mode: 'BASE', amount: UNIT, debit: 1_000_000 },
    { mode: 'ANTE', amount: UNIT, debit: 1_250_000 },
    { mode: 'ANTE', amount: 300_000, debit: 375_000 },
    { mode: 'BONUS', amount: UNIT, debit: 100_000_000 },
  ])('rule 4: play of $amount in $mode debits $debit, the base bet times the cost multiplier', async (bet) => {
    const sessionID = await server.liveSession();
    const played = await server.playBook(sessionID, BOOK.pays150, bet);
    expect(played.body.balance.amount).toBe(OPENING - bet.debit);
    expect(await balanceOf(server, sessionID)).toBe(OPENING - bet.debit);
  });
});
