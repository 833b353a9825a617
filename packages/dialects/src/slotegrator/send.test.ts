import type { WalletRouteName } from '@roundhouse/contract';
import type { WalletExchange } from '@roundhouse/wallet-check/http';
import { describe, expect, it } from 'vitest';
import type { Post } from '../dialect.ts';
import { NOT_MOVABLE } from '../results.ts';
import type { AnyResult, WalletCall } from '../walletCall.ts';
import { send } from './send.ts';
import { connectionOf, settingsSchema } from './settings.ts';
import { signatureOf } from './signature.ts';

const KEY = '0123456789abcdef0123456789abcdef01234567';
const currencies = { UBTC: { code: 'BTC', decimals: 8, shift: 6 } };
const settings = { merchantID: 'm-123', merchantKey: KEY, callbackPath: '/callback', currencies };
const connection = connectionOf(settingsSchema.parse(settings));

const TRANSACTION = 'bd801482-e9ee-49b2-b95f-4c5ac8c2e6ff';
const DEBIT = '0b2d1507-0ec1-4c0b-bcc3-c92ad3fcf6d2';
const PLAYED = { roundID: '1204', sessionID: 'x', playerID: 'ann', gameID: 'book-of', currency: 'EUR' };
const MOVED = { ...PLAYED, transactionID: TRANSACTION, debitTransactionID: DEBIT };
const CALLS: Readonly<Partial<Record<WalletRouteName, object>>> = {
  authenticate: { body: { sessionID: 'x', gameID: 'book-of' }, context: { playerID: 'ann', currency: 'EUR' } },
  balance: { body: PLAYED },
  debit: { body: { ...MOVED, amount: 17_590_000, mode: 'BASE' } },
  credit: { body: { ...MOVED, amount: 0, roundClosed: true } },
  rollback: { body: { ...MOVED, reason: 'lost' }, context: { amount: 17_590_000 } },
};

function callOf(name: WalletRouteName, more: object = {}): WalletCall {
  const { body, context = {} } = CALLS[name] as { body: object; context?: object };
  return { name, body: { ...body, ...more }, context: { token: 's1', ...context } } as unknown as WalletCall;
}

async function sent(call: WalletCall, response: unknown = { balance: 1, transaction_id: 't' }, httpStatus = 200) {
  const requests: Parameters<Post>[0][] = [];
  const text = typeof response === 'string' ? response : JSON.stringify(response);
  const post: Post = async (request): Promise<WalletExchange> => {
    requests.push(request);
    return { kind: 'responded', httpStatus, text };
  };
  return { result: await send(connection, call, post), requests };
}

describe('a callback', () => {
  const COMMON = 'player_id=ann&session_id=s1&currency=EUR';
  const IDS = 'game_uuid=book-of&transaction_id=bd801482e9ee49b2b95f4c5ac8c2e6ff&round_id=1204';
  it.each<[WalletRouteName, string]>([
    ['authenticate', `action=balance&${COMMON}`],
    ['balance', `action=balance&${COMMON}`],
    ['debit', `action=bet&amount=17.59&${COMMON}&${IDS}&type=bet&finished=0`],
    ['credit', `action=win&amount=0.00&${COMMON}&${IDS}&type=win&finished=1`],
    [
      'rollback',
      `action=refund&amount=17.59&${COMMON}&${IDS}&bet_transaction_id=0b2d15070ec14c0bbcc3c92ad3fcf6d2&finished=1`,
    ],
  ])('%s', async (name, body) => {
    const { requests } = await sent(callOf(name));
    expect(requests).toMatchObject([{ path: '/callback', body }]);
    const list = requests[0]?.headers ?? [];
    const headers = Object.fromEntries(list.flatMap((each, at) => (at % 2 ? [] : [[each, list[at + 1] ?? '']])));
    const signed = { merchant: 'm-123', timestamp: headers['X-Timestamp'] ?? '', nonce: headers['X-Nonce'] ?? '' };
    expect(headers).toMatchObject({ 'X-Merchant-Id': 'm-123', 'content-type': 'application/x-www-form-urlencoded' });
    expect(headers['X-Sign']).toBe(signatureOf([...new URLSearchParams(body)], signed, KEY));
    expect(Math.abs(Number(signed.timestamp) - Date.now() / 1000)).toBeLessThan(30);
    expect(signed.nonce).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each([
    ['of less than a cent', { amount: 1_005_000 }],
    ['in an unknown currency', { currency: 'XDOGE' }],
  ])('%s is not sent', async (_what, more) => {
    const { result, requests } = await sent(callOf('debit', more));
    expect([result, requests]).toEqual([NOT_MOVABLE, []]);
  });

  it('of a currency with eight decimals has the code of the wallet', async () => {
    const { requests, result } = await sent(callOf('debit', { currency: 'UBTC', amount: 1_500_000 }), {
      ...{ balance: '0.00012345', transaction_id: 1 },
    });
    expect(requests[0]?.body).toContain('amount=0.00000150&player_id=ann&session_id=s1&currency=BTC');
    expect(result).toMatchObject({ kind: 'accepted', body: { balance: 123_450_000 } });
  });

  it.each<WalletRouteName>(['closeRounds', 'transactions'])('%s is lacking', async (name) => {
    const call = { name, body: {}, context: {} } as unknown as WalletCall;
    expect(await sent(call)).toMatchObject({ result: { kind: 'lacking' }, requests: [] });
  });
});

const accepted = (balance: number) => ({ kind: 'accepted', body: { balance } });
/** The money is certain. */
const UNREAD = { kind: 'accepted', body: { balance: undefined } };
const INVALID = { kind: 'uncertain', code: 'invalid_response' };
const UNCERTAIN = { kind: 'uncertain', code: 'ERR_UE' };
const refused = (code: string) => ({ kind: 'refused', code });

describe('a response', () => {
  it.each<[string, WalletRouteName, unknown, object]>([
    ['a balance', 'balance', { balance: 57.12 }, accepted(57_120_000)],
    ['a balance with four decimals', 'balance', { balance: 92.3631 }, accepted(92_363_100)],
    ['a balance below zero', 'balance', { balance: -0.01 }, accepted(-10_000)],
    ['a balance as text', 'debit', { balance: '27.18', transaction_id: 7 }, accepted(27_180_000)],
    ['a balance that is no decimal', 'balance', { balance: 1e21 }, INVALID],
    ['a balance of less than a micro', 'balance', { balance: 0.0000001 }, INVALID],
    [
      'a balance of a calculation in binary',
      'debit',
      { balance: 99.96000000000001, transaction_id: 'a' },
      accepted(99_960_000),
    ],
    ['a balance of many digits', 'balance', '{"balance":4503599627.370496}', accepted(4_503_599_627_370_496)],
    ['a bet with a balance of half a micro', 'debit', { balance: 1.0000005, transaction_id: 'a' }, UNREAD],
    ['a win with the balance of a word', 'credit', { balance: 'much', transaction_id: 'a' }, UNREAD],
    ['a refund without a balance', 'rollback', { transaction_id: 'a' }, UNREAD],
    ['no balance', 'balance', {}, INVALID],
    ['a list', 'balance', [], INVALID],
    ['no JSON', 'debit', '<html>', INVALID],
    ['no transaction_id', 'debit', { balance: 1 }, INVALID],
    ['an empty transaction_id', 'credit', { balance: 1, transaction_id: '' }, INVALID],
    ['the player of a launch', 'authenticate', { balance: 1 }, { body: { playerID: 'ann', currency: 'EUR' } }],
    ['too little money', 'debit', { error_code: 'INSUFFICIENT_FUNDS' }, refused('ERR_IPB')],
    ['an error beside a balance', 'debit', { error_code: 'INSUFFICIENT_FUNDS', balance: 1 }, refused('ERR_IPB')],
    ['any other error of a bet', 'debit', { error_code: 'INTERNAL_ERROR' }, UNCERTAIN],
    ['an error of a win', 'credit', { error_code: 'INTERNAL_ERROR' }, refused('ERR_GE')],
    ['an error of a refund', 'rollback', { error_code: 'INTERNAL_ERROR' }, refused('ERR_GE')],
    ['an error of a balance', 'authenticate', { error_code: 'INTERNAL_ERROR' }, refused('ERR_GE')],
    ['too little money for a win', 'credit', { error_code: 'INSUFFICIENT_FUNDS' }, UNCERTAIN],
    ['an unknown error', 'credit', { error_code: 'SESSION_VALIDATION_FAILED' }, UNCERTAIN],
  ])('%s', async (_what, name, response, expected) => {
    expect((await sent(callOf(name), response)).result).toMatchObject(expected);
  });

  it.each([201, 400, 500])('with status %i is uncertain', async (httpStatus) => {
    const { result } = await sent(callOf('debit'), { balance: 1, transaction_id: 't' }, httpStatus);
    expect(result).toMatchObject({ ...INVALID, httpStatus });
  });

  it.each<[WalletExchange, Partial<AnyResult>]>([
    [{ kind: 'failed', code: 'timeout', detail: 'time-out' }, { kind: 'uncertain', code: 'timeout' } as const],
    [{ kind: 'not_sent', detail: 'no connection' }, { kind: 'not_sent' }],
  ])('%j', async (exchange, expected) => {
    const post = async () => exchange;
    expect(await send(connection, callOf('debit'), post)).toMatchObject(expected);
  });
});
