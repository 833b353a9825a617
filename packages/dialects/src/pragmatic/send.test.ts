import { toMicros } from '@roundhouse/contract';
import type { WalletExchange } from '@roundhouse/wallet-check/http';
import { describe, expect, it } from 'vitest';
import { NOT_MOVABLE } from '../results.ts';
import type { WalletCall } from '../walletCall.ts';
import { pragmatic } from './dialect.ts';
import { settingsSchema } from './settings.ts';
import { hashOf, readForm } from './signature.ts';

const SETTINGS = { secureLogin: 'rh_casino', secret: 'a test key', providerId: 'roundhouse' };
const ID = '0190d5a2-b3c4-d5e6-f708-192a3b4c5d6e';
const WIN_ID = 'ffffffff-b3c4-d5e6-f708-192a3b4c5d6e';
const ROUND = { roundID: '1204', playerID: 'ann', gameID: 'slot', currency: 'EUR' };
const storedAt = new Date(1_760_000_000_000);
const credit = (amount: number): WalletCall => ({
  name: 'credit',
  body: { ...ROUND, transactionID: WIN_ID, debitTransactionID: ID, amount: toMicros(amount), roundClosed: true },
  context: { storedAt, token: 'a token' },
});
const debit = (more: object = {}): WalletCall => ({
  name: 'debit',
  body: { ...ROUND, transactionID: ID, sessionID: 's', amount: toMicros(1_230_000), mode: 'BASE', ...more },
  context: { token: 'a token' },
});
const rollback: WalletCall = {
  name: 'rollback',
  body: { ...ROUND, transactionID: WIN_ID, debitTransactionID: ID, reason: 'no response' },
  context: { storedAt, amount: toMicros(1_230_000) },
};
const authenticate: WalletCall = {
  name: 'authenticate',
  body: { sessionID: 's', gameID: 'slot' },
  context: { token: 'a token', playerID: 'ann', currency: 'EUR' },
};
const balance: WalletCall = { name: 'balance', body: { ...ROUND, sessionID: 's' }, context: {} };

type Answers = readonly (object | WalletExchange)[];
const MONEY = { error: 0, currency: 'EUR', cash: 10, bonus: '2.50' };

/** Sends a call; the wallet gives these responses, the last one again and again. */
async function send(call: WalletCall, answers: Answers = [MONEY], settings: object = {}) {
  const requests: Record<string, string>[] = [];
  const { send } = pragmatic.connect({
    code: 'acme',
    settings: settingsSchema.parse({ ...SETTINGS, ...settings }),
    secrets: [],
  });
  const result = await send(call, async ({ path, body }) => {
    const { hash, ...params } = readForm(body) ?? {};
    expect(hash).toBe(hashOf(params, SETTINGS.secret));
    requests.push({ path, ...(params as Record<string, string>) });
    const answer = answers[requests.length - 1] ?? answers.at(-1) ?? {};
    return 'kind' in answer
      ? (answer as WalletExchange)
      : { kind: 'responded', httpStatus: 200, text: JSON.stringify(answer) };
  });
  return { result, requests };
}

const round = { providerId: 'roundhouse', userId: 'ann', gameId: 'slot', roundId: '1204' };
const reference = '0190d5a2b3c4d5e6f708192a3b4c5d6e';
const winReference = 'ffffffffb3c4d5e6f708192a3b4c5d6e';
const won = { ...round, amount: '2.00', timestamp: '1760000000000', roundDetails: 'spin', reference: winReference };

describe('a call is these requests', () => {
  it.each<[string, WalletCall, object, object[]]>([
    ['authenticate', authenticate, {}, [{ path: '/authenticate.html', providerId: 'roundhouse', token: 'a token' }]],
    ['balance', balance, {}, [{ path: '/balance.html', providerId: 'roundhouse', userId: 'ann' }]],
    [
      'a won round',
      credit(2_000_000),
      {},
      [
        { path: '/result.html', ...won },
        { path: '/endRound.html', ...round },
      ],
    ],
    ['a lost round', credit(0), {}, [{ path: '/endRound.html', ...round }]],
    ['a lost round without an end', credit(0), { endRound: false }, [{ path: '/result.html', ...won, amount: '0.00' }]],
    [
      'a lost round with its token',
      credit(0),
      { sendsToken: true },
      [{ path: '/endRound.html', ...round, token: 'a token' }],
    ],
    ['a rollback', rollback, {}, [{ path: '/refund.html', providerId: 'roundhouse', userId: 'ann', reference }]],
    [
      'a rollback with all that is known',
      rollback,
      { refundDetails: true },
      [{ path: '/refund.html', ...won, amount: '1.23', reference }],
    ],
  ])('%s', async (_what, call, settings, expected) => {
    expect((await send(call, [MONEY], settings)).requests).toEqual(expected);
  });

  it('a debit, with the time of its only attempt', async () => {
    const { requests } = await send(debit());
    expect(requests).toEqual([
      {
        path: '/bet.html',
        ...round,
        amount: '1.23',
        roundDetails: 'spin',
        reference,
        timestamp: expect.stringMatching(/^\d{13}$/),
      },
    ]);
  });

  it('a debit of a free round', async () => {
    const { requests } = await send(debit({ amount: 0, grantID: 'welcome', freeBet: 1_000_000 }));
    expect(requests).toMatchObject([{ amount: '0.00', bonusCode: 'welcome' }]);
  });

  it('an amount of a fraction of a cent is not sent', async () => {
    expect(await send(debit({ amount: 1_005_000 }))).toMatchObject({ result: NOT_MOVABLE, requests: [] });
  });

  it.each([
    ['JPY', {}, 5_000_000, '5.00'],
    ['KWD', {}, 1_234_000, '1.234'],
    ['EUR', { EUR: { decimals: 4 } }, 1_234_500, '1.2345'],
    ['XBT', { XBT: { code: 'BTC', decimals: 8, shift: 6 } }, 1_500_000, '0.00000150'],
  ])('an amount of %s', async (currency, currencies, amount, text) => {
    const answer = { ...MONEY, currency: currency === 'XBT' ? 'BTC' : currency };
    const { requests } = await send(debit({ currency, amount }), [answer], { currencies });
    expect(requests).toMatchObject([{ amount: text }]);
  });

  it('none for an amount that the currency does not have, and none for what the wallet lacks', async () => {
    const { result, requests } = await send(debit({ amount: 1_234_567 }));
    expect([result, requests]).toMatchObject([{ kind: 'refused', code: 'ERR_VAL' }, []]);
    const lacking = { name: 'transactions', body: {}, context: {} } as unknown as WalletCall;
    expect((await send(lacking)).result).toMatchObject({ kind: 'lacking' });
  });
});

describe('a balance', () => {
  it.each([
    [{ cash: 10, bonus: 2.5 }, 12_500_000],
    [{ cash: '10.00', bonus: '0' }, 10_000_000],
    [{ cash: 0.1 }, 100_000],
    [{ cash: '10.123456' }, 10_123_456],
    [{ cash: '-1.00', bonus: 0 }, -1_000_000],
    [{ cash: 123456789.12 }, 123_456_789_120_000],
    [{ cash: 99.96000000000001, bonus: '0.30000000000000004' }, 100_260_000],
  ])('is cash and bonus together: %j', async (money, micros) => {
    const { result } = await send(balance, [{ error: '0', currency: 'EUR', ...money }]);
    expect(result).toEqual({ kind: 'accepted', httpStatus: 200, body: { balance: micros } });
  });

  it('of a currency with eight decimals is in whole micros', async () => {
    const call: WalletCall = { ...balance, body: { ...balance.body, currency: 'XBT' } } as WalletCall;
    const currencies = { XBT: { code: 'BTC', decimals: 8, shift: 6 } };
    const { result } = await send(call, [{ error: 0, currency: 'BTC', cash: '0.00000001' }], { currencies });
    expect(result).toMatchObject({ body: { balance: 10_000 } });
  });

  it.each([
    { cash: '1.0000001' },
    { cash: 1e21 },
    { cash: 'ten' },
    { cash: true },
    { bonus: 1 },
    { cash: 1, bonus: 'x' },
    { cash: 1, currency: 'USD' },
    { cash: '99999999999999999' },
  ])('is never rounded or guessed: %j', async (money) => {
    const { result } = await send(balance, [{ error: 0, currency: 'EUR', ...money }]);
    expect(result).toMatchObject({ kind: 'uncertain', code: 'invalid_response' });
  });
});

describe('an answer', () => {
  it.each<[string, object, string]>([
    ['1', debit(), 'refused ERR_IPB'],
    ['2', debit(), 'refused ERR_IS'],
    ['3', debit(), 'refused ERR_GLE'],
    ['4', debit(), 'refused ERR_ATE'],
    ['5', debit(), 'refused ERR_GE'],
    ['6', debit(), 'refused ERR_GLE'],
    ['7', debit(), 'refused ERR_VAL'],
    ['8', debit(), 'refused ERR_GE'],
    ['50', debit(), 'refused ERR_GLE'],
    ['310', debit(), 'refused ERR_GLE'],
    ['100', debit(), 'uncertain ERR_UE'],
    ['120', debit(), 'uncertain ERR_UE'],
    ['210', debit(), 'uncertain ERR_UE'],
    ['other', debit(), 'uncertain ERR_UE'],
    ['2', credit(1_000_000), 'refused ERR_IS'],
    ['100', credit(1_000_000), 'uncertain ERR_UE'],
    ['120', credit(1_000_000), 'refused ERR_GE final'],
    ['130', credit(0), 'uncertain ERR_UE'],
    ['120', credit(0), 'refused ERR_GE final'],
    ['120', rollback, 'refused ERR_GE final'],
    ['100', rollback, 'uncertain ERR_UE'],
    ['4', authenticate, 'refused ERR_ATE'],
  ])('of error %s to %j means %s', async (error, call, meaning) => {
    for (const each of [error, Number(error)].filter((value) => !Number.isNaN(value))) {
      const { result } = await send(call as WalletCall, [{ error: each, description: 'why' }]);
      const { kind, code, final } = result as { kind: string; code: string; final?: boolean };
      expect(`${kind} ${code}${final ? ' final' : ''}`).toBe(meaning);
    }
  });

  it.each<[string, Answers]>([
    ['a refusal', [MONEY, { error: 2 }]],
    ['its own error', [MONEY, { error: 130 }]],
    ['no connection', [MONEY, { kind: 'not_sent', detail: 'no connection in time' }]],
    ['no response', [MONEY, { kind: 'failed', code: 'timeout', detail: 'time-out' }]],
    ['another text', [MONEY, { kind: 'responded', httpStatus: 200, text: '<html>' }]],
  ])('to the end of a round leaves the credit uncertain, because its result is paid: %s', async (_what, answers) => {
    expect((await send(credit(2_000_000), answers)).result.kind).toBe('uncertain');
  });

  it('that is final to the end of a round is final', async () => {
    const { result } = await send(credit(2_000_000), [MONEY, { error: 120 }]);
    expect(result).toMatchObject({ kind: 'refused', final: true, detail: 'endRound: error 120' });
  });

  it('that refuses the result ends the call', async () => {
    const { result, requests } = await send(credit(2_000_000), [{ error: 120 }]);
    expect([requests.length, result]).toMatchObject([1, { detail: 'result: error 120' }]);
  });

  it('to the end of a round may come without a balance: that of the result counts', async () => {
    expect((await send(credit(2_000_000), [MONEY, { error: 0 }])).result).toMatchObject({
      body: { balance: 12_500_000 },
    });
    for (const call of [credit(0), rollback]) {
      expect((await send(call, [{ error: 0 }])).result).toEqual({ kind: 'accepted', httpStatus: 200, body: {} });
    }
  });

  it('of success is certain of the money, whatever the balance is', async () => {
    for (const money of [{}, { cash: '1.0000005' }, { cash: 1, bonus: 'x' }]) {
      const answer = { error: 0, currency: 'EUR', ...money };
      const { result } = await send(debit(), [answer]);
      expect(result).toEqual({ kind: 'accepted', httpStatus: 200, body: {} });
      expect((await send(balance, [answer])).result.kind).toBe('uncertain');
    }
  });

  it.each<[string, WalletExchange, object]>([
    ['another status', { kind: 'responded', httpStatus: 500, text: '{"error":120}' }, { code: 'invalid_response' }],
    ['a text', { kind: 'responded', httpStatus: 200, text: 'OK' }, { code: 'invalid_response' }],
    ['null', { kind: 'responded', httpStatus: 200, text: 'null' }, { code: 'invalid_response' }],
    ['a time-out', { kind: 'failed', code: 'timeout', detail: 'time-out' }, { code: 'timeout' }],
  ])('of no dialect is uncertain: %s', async (_what, exchange, expected) => {
    expect((await send(debit(), [exchange])).result).toMatchObject({ kind: 'uncertain', ...expected });
  });

  it('without a request moves nothing', async () => {
    const { result } = await send(debit(), [{ kind: 'not_sent', detail: 'no connection in time' }]);
    expect(result.kind).toBe('not_sent');
  });

  it('to authenticate names player and currency', async () => {
    const named = { ...MONEY, userId: 7 };
    expect((await send(authenticate, [named])).result).toMatchObject({
      body: { playerID: '7', currency: 'EUR', balance: 12_500_000 },
    });
    for (const answer of [
      MONEY,
      { ...named, currency: undefined },
      { ...named, currency: 'USD' },
      { ...named, userId: '' },
    ])
      expect((await send(authenticate, [answer])).result).toMatchObject({ code: 'invalid_response' });
  });
});
