import { generateKeyPairSync, verify } from 'node:crypto';
import type { CurrencyCode } from '@roundhouse/contract';
import type { WalletExchange } from '@roundhouse/wallet-check/http';
import { describe, expect, it } from 'vitest';
import { NOT_MOVABLE } from '../results.ts';
import type { AnyResult, WalletCall } from '../walletCall.ts';
import { hub88 } from './dialect.ts';

const PEM = {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const;
const keys = generateKeyPairSync('rsa', { modulusLength: 2048, ...PEM });
const SETTINGS = { operatorIDs: [1], privateKey: keys.privateKey, hub88PublicKeys: [keys.publicKey] };

function connect(more: object = {}) {
  return hub88.connect({ code: 'acme', settings: hub88.settings.parse({ ...SETTINGS, ...more }), secrets: [] });
}

const ROUND = { roundID: '7', playerID: '1/ann', gameID: 'slot', currency: 'EUR' as CurrencyCode };
const IDS = { transactionID: 'd0c1a9a4-6f0e-4e0e-9d5c-5b1f2f0f6c11', ...ROUND };
const DEBIT = '2f9b2d63-d263-4123-847a-7090a1a5c0b6';
const context = { token: 'a token' };
const CALLS = {
  authenticate: {
    name: 'authenticate',
    body: { sessionID: 'acme:s', gameID: 'slot' },
    context: { ...context, playerID: '1/ann', currency: 'EUR' },
  },
  balance: { name: 'balance', body: { sessionID: 'acme:s', ...ROUND }, context },
  debit: { name: 'debit', body: { ...IDS, sessionID: 'acme:s', amount: 3_560_000, mode: 'BASE' }, context },
  credit: { name: 'credit', body: { ...IDS, debitTransactionID: DEBIT, amount: 10, roundClosed: true }, context },
  rollback: { name: 'rollback', body: { ...IDS, debitTransactionID: DEBIT, reason: 'lost' }, context },
} satisfies Record<string, WalletCall>;
type Name = keyof typeof CALLS;

type Respond = (request: { path: string; headers: string[]; body: any }) => object | WalletExchange;

/** Sends the call to a wallet that responds so, and returns what was sent, and the result. */
async function send(call: WalletCall, respond: Respond = () => ({}), more: object = {}) {
  const sent: { path: string; headers: string[]; text: string; body: any }[] = [];
  const result: AnyResult = await connect(more).send(call, async ({ path, headers, body: text }) => {
    const body = JSON.parse(text);
    sent.push({ path, headers, text, body });
    const response = respond({ path, headers, body });
    if ('kind' in response) return response as WalletExchange;
    const content = { status: 'RS_OK', request_uuid: body.request_uuid, currency: 'EUR', balance: 5, ...response };
    return { kind: 'responded', httpStatus: 200, text: JSON.stringify(content) };
  });
  return { sent, result };
}

describe('requests', () => {
  const common = { user: 'ann', supplier_user: '1/ann', token: 'a token', game_code: 'slot' };
  const moved = { ...common, transaction_uuid: IDS.transactionID, round: '7', currency: 'EUR' };
  const ofBet = { ...moved, reference_transaction_uuid: DEBIT, round_closed: true };
  const free = { grantID: 'reward', freeBet: 1_000_000 };
  const freeDebit = { ...CALLS.debit, body: { ...CALLS.debit.body, amount: 0, ...free } };
  const closing = { ...CALLS.debit, context: { ...context, closesRound: true } };
  it.each<[string, WalletCall, string, object]>([
    ['authenticate', CALLS.authenticate, '/user/balance', common],
    ['balance', CALLS.balance, '/user/balance', common],
    ['debit', CALLS.debit, '/transaction/bet', { ...moved, amount: 356_000, round_closed: false, is_free: false }],
    [
      'a debit that closes',
      closing,
      '/transaction/bet',
      { ...moved, amount: 356_000, round_closed: true, is_free: false },
    ],
    [
      'a free debit',
      freeDebit,
      '/transaction/bet',
      { ...moved, amount: 0, round_closed: false, is_free: true, reward_uuid: 'reward' },
    ],
    ['credit', CALLS.credit, '/transaction/win', { ...ofBet, amount: 1, is_free: false }],
    ['rollback', CALLS.rollback, '/transaction/rollback', ofBet],
  ])('%s', async (_name, call, path, fields) => {
    const { sent } = await send(call);
    expect(sent).toMatchObject([{ path }]);
    expect(sent[0]?.body).toEqual({ ...fields, request_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  it('of a second attempt is the same but for its request_uuid', async () => {
    const [first, second] = [(await send(CALLS.credit)).sent[0]?.body, (await send(CALLS.credit)).sent[0]?.body];
    expect(second).toEqual({ ...first, request_uuid: expect.any(String) });
    expect(second.request_uuid).not.toBe(first.request_uuid);
  });

  it('each is signed over its exact bytes', async () => {
    const { sent } = await send(CALLS.debit);
    const { headers = [], text = '' } = sent[0] ?? {};
    const signature = Buffer.from(headers[headers.indexOf('x-hub88-signature') + 1] ?? '', 'base64');
    expect(verify('sha256', Buffer.from(text), keys.publicKey, signature)).toBe(true);
  });

  it('the wallet has no list and no group of closings', async () => {
    for (const name of ['closeRounds', 'transactions'] as const)
      expect((await send({ name, body: {}, context: {} } as WalletCall)).result).toMatchObject({ kind: 'lacking' });
  });

  it('an amount below 10^-5 units is not sent, and not rounded', async () => {
    const { sent, result } = await send({ ...CALLS.credit, body: { ...CALLS.credit.body, amount: 15 } });
    expect([sent, result]).toEqual([[], NOT_MOVABLE]);
  });

  it('a currency of Hub88 has its own code and scale', async () => {
    const currencies = { UBTC: { code: 'BTC', shift: 6 } };
    const call = { ...CALLS.debit, body: { ...CALLS.debit.body, currency: 'UBTC', amount: 20_000_000 } };
    const { sent, result } = await send(call, () => ({ currency: 'BTC', balance: 3 }), { currencies });
    expect(sent[0]?.body).toMatchObject({ currency: 'BTC', amount: 2 });
    expect(result).toMatchObject({ kind: 'accepted', body: { balance: 30_000_000 } });
    expect(connect({ currencies }).unitOf('UBTC')).toBe(10_000_000);
    expect(connect().unitOf('EUR')).toBe(10);
  });
});

describe('responses', () => {
  it.each<[Name, object]>([
    ['authenticate', { playerID: '1/ann', currency: 'EUR', balance: 50 }],
    ['balance', { balance: 50 }],
    ['debit', { balance: 50 }],
    ['credit', { balance: 50 }],
    ['rollback', { balance: 50 }],
  ])('RS_OK of %s', async (name, body) => {
    expect((await send(CALLS[name])).result).toEqual({ kind: 'accepted', httpStatus: 200, body });
  });

  it.each<[string, unknown, number | undefined]>([
    ['half a unit', 0.5, 5],
    ['of a calculation in binary', 9996.000000000002, 99_960],
    ['as text', '5', 50],
    ['of less than a micro', 0.05, undefined],
    ['that is too large', Number.MAX_SAFE_INTEGER, undefined],
    ['that is missing', undefined, undefined],
  ])('a balance %s: RS_OK is certain of the money', async (_what, balance, micros) => {
    const debit = await send(CALLS.debit, () => ({ balance }));
    expect(debit.result).toEqual({ kind: 'accepted', httpStatus: 200, body: { balance: micros } });
    const { result } = await send(CALLS.balance, () => ({ balance }));
    expect(result.kind).toBe(micros === undefined ? 'uncertain' : 'accepted');
  });

  const other: WalletExchange = { kind: 'responded', httpStatus: 502, text: '' };
  it.each<[string, object, string]>([
    ['another HTTP status', other, 'invalid_response'],
    ['no JSON', { ...other, httpStatus: 200, text: '<html>' }, 'invalid_response'],
    ['a time-out', { kind: 'failed', code: 'timeout', detail: '' }, 'timeout'],
    ['another request_uuid', { request_uuid: DEBIT }, 'invalid_response'],
    ['no request_uuid', { request_uuid: undefined }, 'invalid_response'],
    ['another currency', { currency: 'USD' }, 'invalid_response'],
    ['an unknown status', { status: 'RS_MAYBE' }, 'invalid_response'],
    ['a status that every object has', { status: 'constructor' }, 'invalid_response'],
    [
      'a certain status without the request_uuid',
      { status: 'RS_ERROR_NOT_ENOUGH_MONEY', request_uuid: undefined },
      'invalid_response',
    ],
  ])('%s is uncertain', async (_what, response, code) => {
    expect((await send(CALLS.debit, () => response)).result).toMatchObject({ kind: 'uncertain', code });
  });

  it('a request that was not sent is not sent', async () => {
    const exchange: WalletExchange = { kind: 'not_sent', detail: 'no connection in time' };
    expect((await send(CALLS.debit, () => exchange)).result).toEqual(exchange);
  });

  const statuses: [string, string][] = [
    ['INVALID_PARTNER', 'ERR_MAINTENANCE'],
    ['INVALID_TOKEN', 'ERR_IS'],
    ['INVALID_GAME', 'ERR_VAL'],
    ['WRONG_CURRENCY', 'ERR_VAL'],
    ['NOT_ENOUGH_MONEY', 'ERR_IPB'],
    ['USER_DISABLED', 'ERR_IS'],
    ['INVALID_SIGNATURE', 'ERR_GE'],
    ['TOKEN_EXPIRED', 'ERR_ATE'],
    ['WRONG_SYNTAX', 'ERR_VAL'],
    ['WRONG_TYPES', 'ERR_VAL'],
    ['DUPLICATE_TRANSACTION', 'ERR_DUP'],
    ['TRANSACTION_DOES_NOT_EXIST', 'ERR_BNF'],
    ['LIMIT_REACHED', 'ERR_GLE'],
  ];
  it.each(statuses)('RS_ERROR_%s is %s; a bet with it is rolled back unless it is certain', async (name, code) => {
    const status = `RS_ERROR_${name}`;
    const certain = ['NOT_ENOUGH_MONEY', 'LIMIT_REACHED'].includes(name);
    const final = ['WRONG_SYNTAX', 'WRONG_TYPES', 'DUPLICATE_TRANSACTION'].includes(name);
    const kindOf = async (call: WalletCall) => (await send(call, () => ({ status }))).result;
    expect(await kindOf(CALLS.debit)).toMatchObject({ kind: certain ? 'refused' : 'uncertain', code });
    for (const call of [CALLS.authenticate, CALLS.balance, CALLS.credit, CALLS.rollback])
      expect(await kindOf(call)).toMatchObject({ kind: 'refused', code, final });
  });

  it('an unknown error is uncertain for every request', async () => {
    for (const call of Object.values(CALLS))
      expect((await send(call, () => ({ status: 'RS_ERROR_UNKNOWN' }))).result).toMatchObject({ kind: 'uncertain' });
  });
});
