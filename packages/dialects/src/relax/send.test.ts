import { toMicros } from '@roundhouse/contract';
import { describe, expect, it } from 'vitest';
import type { WalletCall } from '../walletCall.ts';
import { relax } from './dialect.ts';

const SETTINGS = { partners: [10], user: 'pns', password: 'test', gameref: 'rlx.roundhouse.studio.{game}' };
const connect = (more: object = {}) =>
  relax.connect({ code: 'acme', settings: relax.settings.parse({ ...SETTINGS, ...more }), secrets: [] });
const DEBIT_ID = '0197f2a0-0000-7000-8000-000000000001';
const CREDIT_ID = '0197f2a0-0000-7000-8000-000000000002';
const token = JSON.stringify({ partnerid: 10, channel: 'web', clientid: 'android', sessionid: 53447 });
const storedAt = new Date(1_764_000_000_123);
const debitStoredAt = new Date(1_764_000_000_000);

const round = { roundID: '7', playerID: '106893', gameID: 'fixture', currency: 'EUR' };
const CALLS = {
  balance: { name: 'balance', body: { sessionID: 's', ...round }, context: { token } },
  debit: {
    name: 'debit',
    body: { transactionID: DEBIT_ID, sessionID: 's', ...round, amount: 123_450_000, mode: 'BASE' },
    context: { token },
  },
  credit: {
    name: 'credit',
    body: { transactionID: CREDIT_ID, debitTransactionID: DEBIT_ID, ...round, amount: 0, roundClosed: true },
    context: { token, storedAt },
  },
  rollback: {
    name: 'rollback',
    body: { transactionID: CREDIT_ID, debitTransactionID: DEBIT_ID, ...round, reason: 'r' },
    context: { token, storedAt, debitStoredAt, amount: toMicros(123_450_000) },
  },
} as const satisfies Record<string, WalletCall>;

/** Sends a call, and returns what was posted, with the result of this response. */
async function send(call: WalletCall, { status = 200, response = {}, settings = {} }: Sent = {}) {
  const posted: { path: string; headers: string[]; body: any }[] = [];
  const result = await connect(settings).send(call, async ({ path, headers, body }) => {
    posted.push({ path, headers, body: JSON.parse(body) });
    const text = typeof response === 'string' ? response : JSON.stringify(response);
    return { kind: 'responded', httpStatus: status, text };
  });
  return { result, posted };
}
type Sent = { status?: number; response?: object | string; settings?: object };

describe('a request', () => {
  const base = { playerid: 106893, gameref: 'rlx.roundhouse.studio.fixture', currency: 'EUR', sessionid: 53447 };
  const money = { roundid: '7', clientid: 'android' };

  it.each<[keyof typeof CALLS, path: string, body: object]>([
    ['balance', '/10/getbalance', { requestid: expect.any(String), timestamp: expect.any(Number) }],
    [
      'debit',
      '/10/withdraw',
      {
        ...{ ...money, requestid: DEBIT_ID, txid: DEBIT_ID, timestamp: expect.any(Number), amount: 12_345 },
        ...{ channel: 'web', txtype: 'withdraw', ended: false },
      },
    ],
    [
      'credit',
      '/10/deposit',
      {
        ...{ ...money, requestid: CREDIT_ID, txid: CREDIT_ID, timestamp: storedAt.getTime(), amount: 0 },
        ...{ channel: 'web', txtype: 'deposit', ended: true },
      },
    ],
    [
      'rollback',
      '/10/rollback',
      {
        ...{ ...money, requestid: CREDIT_ID, txid: CREDIT_ID, timestamp: storedAt.getTime(), amount: 12_345 },
        ...{ originaltxid: DEBIT_ID, originaltimestamp: debitStoredAt.getTime(), txtype: 'withdraw', ended: true },
      },
    ],
  ])('for %s', async (name, path, body) => {
    const { posted } = await send(CALLS[name]);
    const headers = ['content-type', 'application/json', 'authorization', 'Basic cG5zOnRlc3Q='];
    expect(posted).toEqual([{ path, headers, body: { ...base, ...body } }]);
  });

  it('has the player of a name with a partner, and the code and scale of the currency', async () => {
    const call = { ...CALLS.debit, body: { ...CALLS.debit.body, playerID: '10/5', currency: 'UBTC' } };
    const currencies = { UBTC: { code: 'BTC', decimals: 8, shift: 6 } };
    const { posted } = await send(call, { settings: { currencies } });
    expect(posted[0]?.body).toMatchObject({ playerid: 5, currency: 'BTC', amount: 12_345 });
  });

  it.each<[string, WalletCall, string]>([
    [
      'an amount of a fraction of a cent',
      { ...CALLS.debit, body: { ...CALLS.debit.body, amount: 123_456_789 } },
      'ERR_VAL',
    ],
    ['no token', { ...CALLS.debit, context: {} }, 'ERR_IS'],
    ['a token of another protocol', { ...CALLS.debit, context: { token: 'text' } }, 'ERR_IS'],
  ])('is not sent with %s', async (_, call, code) => {
    const { result, posted } = await send(call);
    expect([posted, result]).toMatchObject([[], { kind: 'refused', code }]);
  });

  it.each(['closeRounds', 'transactions'])('for %s is lacking', async (name) => {
    expect(await send({ name, body: {}, context: {} } as unknown as WalletCall)).toMatchObject({
      result: { kind: 'lacking' },
      posted: [],
    });
  });
});

describe('a response', () => {
  it.each<[string, keyof typeof CALLS, Sent, object]>([
    [
      'with a balance',
      'debit',
      { response: { balance: 100_001, txid: 'x' } },
      { kind: 'accepted', body: { balance: 1_000_010_000 } },
    ],
    ['without one to a deposit', 'credit', { response: { txid: 'x', relaxtxid: 1 } }, { kind: 'accepted', body: {} }],
    ['without one to a rollback', 'rollback', { response: { sessionid: 1 } }, { kind: 'accepted', body: {} }],
    [
      'without one to a withdraw',
      'debit',
      { response: { txid: 'x' } },
      { kind: 'uncertain', code: 'invalid_response' },
    ],
    ['of another currency', 'balance', { response: { balance: 1, currency: 'USD' } }, { kind: 'uncertain' }],
    [
      'with a balance of a calculation in binary',
      'debit',
      { response: { balance: 9996.000000000002 } },
      { kind: 'accepted', body: { balance: 99_960_000 } },
    ],
    [
      'with a balance of no micros',
      'debit',
      { response: { balance: 0.00001 } },
      { kind: 'accepted', body: { balance: undefined } },
    ],
    [
      'with a balance of no micros',
      'balance',
      { response: { balance: 0.00001 } },
      { kind: 'uncertain', code: 'invalid_response' },
    ],
    ['that is no JSON', 'debit', { response: '<html>' }, { kind: 'uncertain', code: 'invalid_response' }],
    ['that redirects', 'debit', { status: 302, response: { balance: 1 } }, { kind: 'uncertain' }],
    ['without an errorcode', 'debit', { status: 401 }, { kind: 'uncertain', code: 'invalid_response' }],
  ])('%s (%s)', async (_, name, sent, expected) => {
    expect((await send(CALLS[name], sent)).result).toMatchObject(expected);
  });

  it.each<[errorcode: string, keyof typeof CALLS, status: number, expected: string]>([
    ['INSUFFICIENT_FUNDS', 'debit', 400, 'refused ERR_IPB'],
    ['INSUFFICIENT_FUNDS', 'debit', 500, 'uncertain ERR_UE'],
    ['INSUFFICIENT_FUNDS', 'debit', 200, 'uncertain ERR_UE'],
    ['SPENDING_BUDGET_EXCEEDED', 'debit', 403, 'refused ERR_GLE'],
    ['DAILY_TIME_LIMIT', 'debit', 403, 'refused ERR_GLE'],
    ['CUSTOM_ERROR', 'debit', 403, 'refused ERR_GLE'],
    ['TRANSACTION_DECLINED', 'debit', 403, 'refused ERR_GE'],
    ['INVALID_TOKEN', 'balance', 401, 'refused ERR_IS'],
    ['SESSION_EXPIRED', 'debit', 401, 'refused ERR_ATE'],
    ['IP_BLOCKED', 'debit', 403, 'refused ERR_LOC'],
    ['MAINTENANCE', 'credit', 400, 'refused ERR_MAINTENANCE'],
    ['INVALID_PARAMETERS', 'credit', 400, 'refused ERR_VAL final'],
    ['TRANSACTION_NOT_FOUND', 'rollback', 404, 'refused ERR_BNF'],
    ['TRANSACTION_NOT_FOUND', 'credit', 404, 'uncertain ERR_UE'],
    ['INVALID_TXID', 'rollback', 400, 'uncertain ERR_UE'],
    ['ROLLBACK', 'debit', 400, 'uncertain ERR_UE'],
    ['RETRY', 'credit', 400, 'uncertain ERR_UE'],
    ['UNHANDLED', 'debit', 503, 'uncertain ERR_UE'],
    ['constructor', 'debit', 400, 'uncertain ERR_UE'],
  ])('with %s to %s at status %i', async (errorcode, name, status, expected) => {
    const { result } = await send(CALLS[name], { status, response: { errorcode, errormessage: 'why' } });
    const { kind, code, final } = result as { kind: string; code: string; final?: boolean };
    expect([kind, code, ...(final ? ['final'] : [])].join(' ')).toBe(expected);
  });
});

describe('verifytoken', () => {
  const ticket = JSON.stringify({ ticket: 't', partnerid: 10, channel: 'web', clientid: 'android', ip: '192.0.2.1' });
  const call: WalletCall = {
    name: 'authenticate',
    body: { sessionID: '', gameID: 'fixture' },
    context: { token: ticket },
  };
  const RESPONSE = {
    ...{ playerid: 106893, customerid: 'c', countrycode: 'GB', currency: 'EUR', jurisdiction: 'UK' },
    ...{ balance: 26_447, sessionid: 53447, partnerid: 10, clientid: 'android' },
  };
  const PLAYER = { playerID: '106893', currency: 'EUR', balance: 264_470_000, country: 'GB', token };

  it('gets the ticket, and its session is the token that is kept', async () => {
    const { result, posted } = await send(call, { response: RESPONSE });
    const asked = { channel: 'web', clientid: 'android', token: 't', partnerid: 10, ip: '192.0.2.1' };
    const body = { ...asked, gameref: 'rlx.roundhouse.studio.fixture' };
    const common = { requestid: expect.any(String), timestamp: expect.any(Number) };
    expect(posted).toMatchObject([{ path: '/10/verifytoken' }]);
    expect(posted[0]?.body).toEqual({ ...body, ...common });
    expect(result).toEqual({ kind: 'accepted', httpStatus: 200, body: PLAYER });
  });

  it.each<[string, response: object, settings: object, expected: object]>([
    [
      'the limit of a bet',
      { operatorbetsettings: { minimumbet: 100, maximumbet: 200, defaultbet: 150 } },
      {},
      { maxStake: 2_000_000 },
    ],
    ['no limit of a bet', { operatorbetsettings: { minimumbet: 100, maximumbet: null } }, {}, { maxStake: undefined }],
    [
      'flags of the jurisdiction',
      {},
      { jurisdictions: { UK: { disabledTurbo: true } } },
      { jurisdiction: { disabledTurbo: true } },
    ],
    ['a player of one of two partners', {}, { partners: [10, 11] }, { playerID: '10/106893' }],
    ['euro without a currency', { currency: undefined }, {}, { currency: 'EUR' }],
    [
      'a currency with another code',
      { currency: 'GC.' },
      { currencies: { XGC: { code: 'GC.' } } },
      { currency: 'XGC' },
    ],
  ])('has %s', async (_, response, settings, expected) => {
    const { result } = await send(call, { response: { ...RESPONSE, ...response }, settings });
    expect(result).toMatchObject({ kind: 'accepted', body: expected });
  });

  it.each<[string, response: object]>([
    ['another partner', { partnerid: 11 }],
    ['no session', { sessionid: undefined }],
    ['a player that is no number', { playerid: 'x' }],
    ['a limit of no micros', { operatorbetsettings: { maximumbet: 0.00001 } }],
    ['a limit below 0', { operatorbetsettings: { maximumbet: -1 } }],
    ['a balance of no micros', { balance: 0.00001 }],
    ['a country that is none', { countrycode: 'Great Britain' }],
  ])('is uncertain with %s', async (_, response) => {
    const { result } = await send(call, { response: { ...RESPONSE, ...response } });
    expect(result).toMatchObject({ kind: 'uncertain', code: 'invalid_response' });
  });
});
