import type { WalletRouteName } from '@roundhouse/contract';
import type { WalletResult } from '@roundhouse/dialects';
import { resultOf } from '@roundhouse/dialects';
import { expect, it } from 'vitest';
import { isWalletFailure, storedResult, walletRefusal } from './walletResult.ts';

const another = (httpStatus: number) => ({ httpStatus, detail: `status ${httpStatus} with another body` });
const noCode = (httpStatus: number) => ({ httpStatus, detail: `status ${httpStatus} without a code` });

// A debit in a row without a certain result is rolled back.
it.each<[httpStatus: number, text: string, result: object]>([
  [200, '{"balance":5}', { kind: 'accepted', httpStatus: 200, body: { balance: 5 } }],
  [299, '{"balance":5,"more":true}', { kind: 'accepted', httpStatus: 299, body: { balance: 5 } }],
  [400, '{"error":"ERR_IPB"}', { kind: 'refused', code: 'ERR_IPB', httpStatus: 400 }],
  [500, '{"error":"ERR_GE"}', { kind: 'refused', code: 'ERR_GE', httpStatus: 500 }],
  [500, '{"error":"ERR_UE"}', { code: 'ERR_UE', httpStatus: 500 }],
  [500, '{"message":"oops"}', noCode(500)],
  [502, '<h1>Bad Gateway</h1>', noCode(502)],
  [400, '{"error":"ERR_WHAT"}', noCode(400)],
  [400, 'null', noCode(400)],
  [300, '{"balance":5}', noCode(300)],
  [199, '{"balance":5}', noCode(199)],
  [
    200,
    '{"balance":5,"reference":"b-1"}',
    { kind: 'accepted', httpStatus: 200, body: { balance: 5, reference: 'b-1' } },
  ],
  [200, '{"balance":', another(200)],
  [200, '', another(200)],
  [200, '{"balance":"12"}', another(200)],
  [200, '{"error":"ERR_IPB"}', another(200)],
])('status %i with %j is read by the contract', (httpStatus, text, result) => {
  expect(resultOf('debit', { kind: 'responded', httpStatus, text })).toEqual({
    kind: 'uncertain',
    ...(!('kind' in result || 'code' in result) && { code: 'invalid_response' }),
    ...result,
  });
});

it.each(['""', '7', 'null', `"${'r'.repeat(129)}"`, String.raw`"a\nb"`])(
  'money is certain with the reference %s',
  (reference) => {
    const text = `{"balance":5,"reference":${reference}}`;
    const result = resultOf('debit', { kind: 'responded', httpStatus: 200, text });
    expect(result).toEqual({ kind: 'accepted', httpStatus: 200, body: { balance: 5 } });
  },
);

it.each<WalletRouteName>(['authenticate', 'balance', 'debit', 'credit', 'rollback'])(
  'the balance of a %s is one of whole micros, also below zero; money is certain with any other number',
  (name) => {
    const told = (balance: string) => {
      const text = `{"playerID":"ann","currency":"USD","balance":${balance}}`;
      const result = resultOf(name, { kind: 'responded', httpStatus: 200, text });
      return result.kind === 'accepted' ? (result.body as { balance?: number }).balance : result.kind;
    };
    expect(['0', '-1', '-9007199254740991'].map(told)).toEqual([0, -1, -9007199254740991]);
    // 99.96 and 5.33 units as PHP and JavaScript multiply them.
    expect(['99960000.00000001', '5329999.999999999', '1e6'].map(told)).toEqual([99_960_000, 5_330_000, 1_000_000]);
    const isRead = name === 'authenticate' || name === 'balance';
    const odd = isRead ? 'uncertain' : undefined;
    expect(['-0.5', '-9007199254740992', '1e300'].map(told)).toEqual([odd, odd, odd]);
    expect(['"-1"', 'null', '[1]'].map(told)).toEqual(Array(3).fill('uncertain'));
  },
);

it('limits, the most stake and listed amounts are micros as well', () => {
  const read = (name: WalletRouteName, body: object) =>
    resultOf(name, { kind: 'responded', httpStatus: 200, text: JSON.stringify(body) });
  const player = { playerID: 'ann', currency: 'USD', balance: 1 };
  const limits = { dailyWager: 4099999.9999999995, dailyLoss: 1000000.0000000001 };
  expect(read('authenticate', { ...player, limits, maxStake: 2000000.0000000002 })).toMatchObject({
    body: { limits: { dailyWager: 4_100_000, dailyLoss: 1_000_000 }, maxStake: 2_000_000 },
  });
  expect(read('authenticate', { ...player, maxStake: 0.5 }).kind).toBe('uncertain');
  const ids = { transactionID: crypto.randomUUID(), roundID: '1', playerID: 'ann' };
  const listed = { ...ids, kind: 'debit', currency: 'USD', amount: 4099999.9999999995, at: '2026-11-21T12:00:00.000Z' };
  expect(read('transactions', { transactions: [listed], cursor: null })).toMatchObject({
    body: { transactions: [{ amount: 4_100_000 }] },
  });
});

it.each<['authenticate' | 'balance' | 'debit', refusal: string]>([
  ['authenticate', 'player_unconfirmed'],
  ['balance', 'balance_unknown'],
  ['debit', 'wallet_uncertain'],
])('a %s without a certain result has words of its own', (name, refusal) => {
  expect(walletRefusal(name, LOST)).toEqual({ ok: false, refusal });
  expect(walletRefusal(name, { kind: 'not_sent', detail: 'd' })).toEqual({ ok: false, refusal: 'wallet_down' });
  expect(walletRefusal(name, REFUSED)).toEqual({ ok: false, refusal: 'wallet_refused' });
});

it('404 says that the wallet closes no rounds in groups, which is not a failure; of any other request it is uncertain', () => {
  const notFound = { kind: 'responded', httpStatus: 404, text: 'Not here' } as const;
  const lacking = resultOf('closeRounds', notFound);
  expect(lacking).toEqual({ kind: 'lacking', httpStatus: 404 });
  expect(isWalletFailure('closeRounds', lacking)).toBe(false);
  expect(resultOf('credit', notFound)).toEqual({ kind: 'uncertain', code: 'invalid_response', ...noCode(404) });
});

const REFUSED = { kind: 'refused', code: 'ERR_BNF', httpStatus: 400 } as const;
const LOST = { kind: 'uncertain', code: 'timeout', detail: 'time-out' } as const;
const ACCEPTED = { kind: 'accepted', httpStatus: 200, body: { balance: 5 } } as const;

it.each<[WalletResult, object]>([
  [ACCEPTED, { resultCode: 'accepted', httpStatus: 200 }],
  [REFUSED, { resultCode: 'ERR_BNF', httpStatus: 400 }],
  [
    { kind: 'uncertain', code: 'ERR_UE', httpStatus: 500, detail: 'd' },
    { resultCode: 'ERR_UE', httpStatus: 500, resultDetail: 'd' },
  ],
  [
    { kind: 'not_sent', detail: 'no turn' },
    { resultCode: 'not_sent', resultDetail: 'not sent: no turn' },
  ],
])('%j is stored', (result, columns) => expect(storedResult(result)).toEqual(columns));

it.each<[WalletRouteName, WalletResult, isFailure: boolean]>([
  ['debit', ACCEPTED, false],
  ['debit', LOST, true],
  ['debit', { kind: 'not_sent', detail: 'no turn' }, true],
  ['debit', { ...REFUSED, code: 'ERR_IPB' }, false],
  ['debit', REFUSED, true],
  ['balance', { ...REFUSED, code: 'ERR_IS' }, false],
  ['credit', { ...REFUSED, code: 'ERR_IPB' }, true],
  ['closeRounds', { ...REFUSED, code: 'ERR_IS' }, true],
  ['rollback', REFUSED, false],
  ['rollback', { ...REFUSED, code: 'ERR_IPB' }, true],
  ['rollback', { ...REFUSED, code: 'ERR_VAL', debitStands: true }, false],
  ['rollback', LOST, true],
])('a %s with %j is a failure of the wallet: see the list', (name, result, isFailure) => {
  expect(isWalletFailure(name, result)).toBe(isFailure);
});
