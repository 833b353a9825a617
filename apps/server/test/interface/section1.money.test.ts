import { CURRENCIES, CURRENCY_CODES, parseLaunchUrl, toMicros } from '@roundhouse/contract';
import { describe, expect, test } from 'vitest';
import { OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { balanceOf, expectRefused, snapshot } from '../support/snapshot.ts';

const server = useCheckedServer();

/** The table of the document. */
const REGULAR = 'USD, CAD, JPY, EUR, RUB, CNY, PHP, INR, IDR, KRW, BRL, MXN, DKK, PLN, VND, TRY, CLP, ARS, PEN'.split(
  ', ',
);
const SOCIAL = ['XGC', 'XSC'];

describe('1. Money', () => {
  test('rule 1: every monetary value is an integer', async () => {
    const sessionID = await server.newSession();
    const { balance, config } = (await server.post('/wallet/authenticate', { sessionID })).body;
    const { round } = (await server.playBook(sessionID, BOOK.pays20, { amount: 300_000 })).body;
    const { minBet, maxBet, stepBet, defaultBetLevel, betLevels } = config;
    const amounts = [
      balance.amount,
      minBet,
      maxBet,
      stepBet,
      defaultBetLevel,
      ...betLevels,
      round.amount,
      round.payout,
    ];
    expect(amounts.filter((amount) => !Number.isSafeInteger(amount))).toEqual([]);
    expect(round.payout).toBe(60_000);
  });

  test.each([1_000_000.5, '1000000'])('rule 1: a bet of %j, which is not an integer, is refused', async (amount) => {
    const sessionID = await server.liveSession();
    await expectRefused(server, { path: '/wallet/play', body: { sessionID, amount, mode: 'BASE' } }, 'ERR_VAL');
  });

  test.each([
    [100_000, 0.1],
    [1_000_000, 1],
    [10_000_000, 10],
    [100_000_000, 100],
  ])('rule 2: %i is %d', async (micros, units) => {
    expect(toMicros(units * UNIT)).toBe(micros);
    const sessionID = await server.liveSession({ balance: micros });
    const { body } = await server.post('/wallet/balance', { sessionID });
    expect(body.balance.amount).toBe(micros);
    expect(body.balance.amount / UNIT).toBe(units);
  });

  test('rule 3: a bet of one whole unit is sent as 1000000', async () => {
    const sessionID = await server.liveSession({ balance: 3_000_000 });
    const { body } = await server.post('/wallet/play', { sessionID, amount: 1_000_000, mode: 'BASE' });
    expect(body.round.amount).toBe(1_000_000);
    expect(body.balance.amount).toBe(2_000_000);
  });
});

describe('1. Supported currency codes', () => {
  test('rows Regular and Social casino: the 21 codes, each of its kind', () => {
    expect([...CURRENCY_CODES]).toEqual([...REGULAR, ...SOCIAL]);
    const kinds = (kind: string) => CURRENCY_CODES.filter((code) => CURRENCIES[code].kind === kind);
    expect(kinds('regular')).toEqual(REGULAR);
    expect(kinds('social')).toEqual(SOCIAL);
  });

  test.each([...REGULAR.map((code) => ['Regular', code]), ...SOCIAL.map((code) => ['Social casino', code])])(
    'row %s: a session in %s, with the same money as in every other currency',
    async (_kind, currency) => {
      const started = await server.post('/session/start', { currency });
      expect(parseLaunchUrl(started.body.url)).toMatchObject({ kind: 'play', currency });
      const { sessionID } = started.body;
      const entered = await server.post('/wallet/authenticate', { sessionID });
      expect(entered.body.balance).toEqual({ amount: OPENING, currency });

      const played = await server.playBook(sessionID, BOOK.pays150, { amount: 100 * UNIT, mode: 'Ante' });
      expect(played.body.balance).toEqual({ amount: OPENING - 125 * UNIT, currency });
      const { betID, ...round } = played.body.round;
      expect(betID).toBeGreaterThan(0);
      expect(round).toEqual({
        amount: 100 * UNIT,
        payout: 150 * UNIT,
        payoutMultiplier: 1.5,
        costMultiplier: 1.25,
        active: true,
        mode: 'ANTE',
        event: null,
        state: expect.any(Array),
      });
      const ended = await server.post('/wallet/end-round', { sessionID });
      expect(ended.body.balance).toEqual({ amount: OPENING + 25 * UNIT, currency });
      const read = await server.post('/wallet/balance', { sessionID });
      expect(read.body.balance).toEqual({ amount: OPENING + 25 * UNIT, currency });
      expect(await balanceOf(server, sessionID)).toBe(OPENING + 25 * UNIT);
    },
  );

  test('currency affects only the display: each outcome shows and pays the same in all of them', async () => {
    const rounds = await Promise.all(
      CURRENCY_CODES.map(async (currency) => {
        const sessionID = await server.liveSession({ currency });
        const { text } = await server.playBook(sessionID, BOOK.pays20, { amount: 100 * UNIT });
        return text.slice(text.indexOf('"round"')).replace(/"betID":\d+/, '"betID":0');
      }),
    );
    expect(new Set(rounds).size).toBe(1);
    expect(rounds[0]).toContain('"payout":20000000');
  });

  test.each(['GBP', 'usd', ''])('no other code is taken: %j', async (currency) => {
    const before = await snapshot(server, '');
    const { status, body } = await server.post('/session/start', { currency });
    expect([status, body.error]).toEqual([400, 'ERR_VAL']);
    expect(await snapshot(server, '')).toEqual(before);
  });
});
