import { toMicros, type WalletErrorCode } from '@roundhouse/contract';
import type { WalletExchange } from '@roundhouse/wallet-check/http';
import { describe, expect, it } from 'vitest';
import type { WalletCall } from '../walletCall.ts';
import { onewallet } from './dialect.ts';

const DEBIT_ID = '9fb6f838-6b31-4c87-9c2e-2db90afd50e1';
const OTHER_ID = 'ce186440-ed92-11e3-ac10-0800200c9a66';
const AUTH_TOKEN = 's3cr3t V4lu3&';
const SETTINGS = { casinoKey: 'casino', apiToken: 'a token of the launch'.replaceAll(' ', '-'), authToken: AUTH_TOKEN };

type Answer = (request: { path: string; body: any }) => object | string | WalletExchange;

/** Sends the call, and lists what was posted. */
async function send(call: object, answer: Answer, more: object = {}) {
  const settings = onewallet.settings.parse({ ...SETTINGS, ...more });
  const connection = onewallet.connect({ code: 'acme', settings, secrets: [] });
  const posts: { path: string; body: string }[] = [];
  const result = await connection.send(call as WalletCall, async ({ path, body }) => {
    posts.push({ path, body });
    const response = answer({ path, body: JSON.parse(body) });
    if (typeof response === 'object' && 'kind' in response) return response;
    const text = typeof response === 'string' ? response : JSON.stringify(response);
    return { kind: 'responded', httpStatus: 200, text };
  });
  return { result, posts };
}

const round = { roundID: '77', playerID: 'ann', gameID: 'slot', currency: 'EUR' };
const context = { token: 'sid-1' };
const DEBIT = {
  name: 'debit',
  body: { ...round, transactionID: DEBIT_ID, sessionID: 's', amount: toMicros(1_550_000), mode: 'BASE' },
  context,
};
const CREDIT = {
  name: 'credit',
  body: { ...round, transactionID: OTHER_ID, debitTransactionID: DEBIT_ID, amount: toMicros(0), roundClosed: true },
  context,
};
const ROLLBACK = {
  name: 'rollback',
  body: { ...round, transactionID: OTHER_ID, debitTransactionID: DEBIT_ID, reason: 'r' },
  context: { ...context, amount: toMicros(1_550_000) },
};
const BALANCE = { name: 'balance', body: { ...round, sessionID: 's' }, context };
const AUTHENTICATE = {
  name: 'authenticate',
  body: { sessionID: 's', gameID: 'slot' },
  context: { ...context, playerID: 'ann', currency: 'EUR' },
};
const OK: Answer = ({ body }) => ({ status: 'OK', balance: 12.5, bonus: 0.25, uuid: body.uuid });
const status =
  (name: string): Answer =>
  ({ body }) => ({ status: name, uuid: body.uuid });
const BALANCE_12_75 = { kind: 'accepted', httpStatus: 200, body: { balance: 12_750_000 } };
const AUTH = '?authToken=s3cr3t%20V4lu3%26';

describe('requests', () => {
  const GAME = '"game":{"id":"77","type":"slots","details":{"table":{"id":"slot","vid":null}}}';
  const PLAYER = '"sid":"sid-1","userId":"ann","currency":"EUR"';
  it.each([
    ['debit', DEBIT, `"id":"D${DEBIT_ID}","refId":"${DEBIT_ID}","amount":1.55`, DEBIT_ID],
    ['credit', CREDIT, `"id":"C${OTHER_ID}","refId":"${DEBIT_ID}","amount":0.00`, OTHER_ID],
    ['cancel', ROLLBACK, `"id":"D${DEBIT_ID}","refId":"${DEBIT_ID}","amount":1.55`, OTHER_ID],
  ])('%s is the same to the byte each time', async (path, call, transaction, uuid) => {
    const { posts, result } = await send(call, OK);
    expect(result).toEqual(BALANCE_12_75);
    const body = `{${PLAYER},${GAME},"transaction":{${transaction}},"uuid":"${uuid}"}`;
    expect(posts).toEqual([{ path: `/${path}${AUTH}`, body }]);
  });

  it('only the amount is written as a number', async () => {
    const body = { ...DEBIT.body, playerID: '"amount":"1"' };
    const { posts } = await send({ ...DEBIT, body }, OK);
    expect(posts[0]?.body).toContain(String.raw`"userId":"\"amount\":\"1\""`);
    expect(posts[0]?.body).toContain('"amount":1.55}');
  });

  it('authenticate is check and balance', async () => {
    const { posts, result } = await send(AUTHENTICATE, OK);
    expect(result).toEqual({ ...BALANCE_12_75, body: { playerID: 'ann', currency: 'EUR', balance: 12_750_000 } });
    expect(posts.map(({ path }) => path)).toEqual([`/check${AUTH}`, `/balance${AUTH}`]);
    expect(posts.map(({ body }) => JSON.parse(body))).toEqual([
      { sid: 'sid-1', userId: 'ann', channel: { type: 'P' }, uuid: expect.any(String) },
      {
        ...{ sid: 'sid-1', userId: 'ann', currency: 'EUR', uuid: expect.any(String) },
        game: { type: 'slots', details: { table: { id: 'slot', vid: null } } },
      },
    ]);
  });

  it('check is left out where the settings say so', async () => {
    const { posts } = await send(AUTHENTICATE, OK, { check: false });
    expect(posts.map(({ path }) => path)).toEqual([`/balance${AUTH}`]);
  });

  it.each([
    ['no live session', 'INVALID_SID', { kind: 'refused', code: 'ERR_IS' }],
    ['a new sid', 'OK', { kind: 'refused', code: 'ERR_GE', detail: 'check gives another sid' }],
  ])('authenticate ends at a check with %s', async (_, name, expected) => {
    const answer: Answer = ({ body }) => ({ status: name, sid: 'sid-2', uuid: body.uuid });
    const { posts, result } = await send(AUTHENTICATE, answer);
    expect([result, posts.length]).toMatchObject([expected, 1]);
  });

  it.each(['closeRounds', 'transactions'])('%s is lacking', async (name) => {
    expect(await send({ name, body: {}, context: {} }, OK)).toEqual({
      ...{ result: { kind: 'lacking', httpStatus: undefined }, posts: [] },
    });
  });
});

describe('money', () => {
  const amountOf = async (currency: string, micros: number, currencies: object = {}) => {
    const body = { ...DEBIT.body, currency, amount: micros };
    const { posts, result } = await send({ ...DEBIT, body }, OK, { currencies });
    return posts[0] === undefined
      ? result
      : [/"amount":([^}]*)/.exec(posts[0].body)?.[1], JSON.parse(posts[0].body).currency];
  };
  const REFUSED = { kind: 'refused', code: 'ERR_VAL' };
  it.each([
    ['EUR', 10_000, ['0.01', 'EUR']],
    ['EUR', 9_007_199_254_740_000, ['9007199254.74', 'EUR']],
    ['EUR', 5_000, REFUSED],
    ['JPY', 100_000_000, ['100', 'JPY']],
    ['JPY', 500_000, REFUSED],
    ['KWD', 1_000, REFUSED],
    ['UBTC', 1_000_000, ['0.00000100', 'BTC']],
  ])('%s %d micros are %j', async (currency, micros, expected) => {
    const sent = await amountOf(currency, micros, { UBTC: { code: 'BTC', decimals: 8, shift: 6 } });
    expect(sent).toEqual(Array.isArray(expected) ? expected : expect.objectContaining(expected));
  });

  it('a currency that nobody knows is refused', async () => {
    expect(await amountOf('XYZ', 1_000_000)).toMatchObject(REFUSED);
  });

  it.each([
    ['"balance":100.000001,"bonus":null', 100_000_001],
    ['"balance":"7.5"', 7_500_000],
    ['"balance":1E2,"bonus":0.00', 100_000_000],
    ['"balance":0.1,"bonus":0.2', 300_000],
    ['"balance":9007199254.740991', 9_007_199_254_740_991],
    ['"balance":0.30000000000000004', 300_000],
    ['"balance":99.96000000000001,"bonus":0.1', 100_060_000],
    ['"balance":0.0000005', undefined],
    ['"balance":9007199254.740993', undefined],
    ['"balance":1,"bonus":"much"', undefined],
    ['"balance":true', undefined],
    ['"balance":[]', undefined],
    ['"balance":null', undefined],
    ['"bonus":1', undefined],
  ])('%s is read exactly, or the response is invalid', async (members, balance) => {
    const { result } = await send(BALANCE, ({ body }) => `{"status":"OK","uuid":"${body.uuid}",${members}}`);
    expect(result).toMatchObject(
      balance === undefined ? { kind: 'uncertain', code: 'invalid_response' } : { kind: 'accepted', body: { balance } },
    );
  });
});

describe('responses', () => {
  const UNCERTAIN = { kind: 'uncertain', code: 'ERR_UE' };
  const refused = (code: WalletErrorCode, final = false) => ({ kind: 'refused', code, ...(final && { final }) });
  const DONE = { kind: 'accepted', body: {} };
  it.each([
    ['INSUFFICIENT_FUNDS', refused('ERR_IPB'), refused('ERR_IPB'), refused('ERR_IPB')],
    ['INVALID_SID', refused('ERR_IS'), refused('ERR_IS'), refused('ERR_IS')],
    ['FATAL_ERROR_CLOSE_USER_SESSION', refused('ERR_IS'), refused('ERR_IS'), refused('ERR_IS')],
    ['INVALID_TOKEN_ID', refused('ERR_GE'), refused('ERR_GE'), refused('ERR_GE')],
    ['ACCOUNT_LOCKED', refused('ERR_GLE'), refused('ERR_GLE'), refused('ERR_GLE')],
    ['CASINO_LIMIT_EXCEEDED_LOSS', refused('ERR_GLE'), refused('ERR_GLE'), refused('ERR_GLE')],
    ['GEOLOCATION_FAIL', refused('ERR_LOC'), refused('ERR_LOC'), refused('ERR_LOC')],
    ['FINAL_ERROR_ACTION_FAILED', refused('ERR_GE', true), refused('ERR_GE', true), refused('ERR_GE', true)],
    ['FINAL_ERROR_ACTION_FAILED ', refused('ERR_GE', true), refused('ERR_GE', true), refused('ERR_GE', true)],
    ['INVALID_PARAMETER', refused('ERR_VAL', true), refused('ERR_VAL', true), refused('ERR_VAL', true)],
    ['BET_DOES_NOT_EXIST', UNCERTAIN, refused('ERR_BNF', true), refused('ERR_BNF')],
    ['BET_ALREADY_SETTLED', UNCERTAIN, DONE, DONE],
    ['BET_ALREADY_EXIST', UNCERTAIN, DONE, UNCERTAIN],
    ['TEMPORARY_ERROR', UNCERTAIN, UNCERTAIN, UNCERTAIN],
    ['UNKNOWN_ERROR', UNCERTAIN, UNCERTAIN, UNCERTAIN],
    ['OPERATION_IN_PROCESS', UNCERTAIN, UNCERTAIN, UNCERTAIN],
    ['SOMETHING_NEW', UNCERTAIN, UNCERTAIN, UNCERTAIN],
  ])('%s of debit, credit and cancel', async (name, ...expected) => {
    for (const [index, call] of [DEBIT, CREDIT, ROLLBACK].entries()) {
      const { result } = await send(call, status(name));
      expect(result).toMatchObject(expected[index] as object);
      expect('final' in result).toBe('final' in (expected[index] as object));
    }
  });

  it.each<[string, Answer]>([
    [
      'another status of HTTP',
      ({ body }) => ({ kind: 'responded', httpStatus: 500, text: JSON.stringify(OK({ path: '', body })) }),
    ],
    [
      'a refusal with another status of HTTP',
      () => ({ kind: 'responded', httpStatus: 401, text: '{"status":"INVALID_TOKEN_ID"}' }),
    ],
    ['the uuid of another request', () => ({ status: 'OK', balance: 1, uuid: OTHER_ID })],
    ['a refusal with the uuid of another request', () => ({ status: 'INSUFFICIENT_FUNDS', uuid: OTHER_ID })],
    ['no status', () => ({ balance: 1 })],
    ['no JSON', () => 'OK'],
    ['nothing', () => ''],
  ])('%s is uncertain', async (_, answer) => {
    expect((await send(DEBIT, answer)).result).toMatchObject({ kind: 'uncertain', code: 'invalid_response' });
  });

  it('a response without a uuid is one', async () => {
    expect((await send(DEBIT, () => ({ status: 'OK', balance: 12.75 }))).result).toEqual(BALANCE_12_75);
  });

  it.each<[string, Answer]>([
    ['no balance', status('OK')],
    ['one of less than a micro', ({ body }) => ({ status: 'OK', uuid: body.uuid, balance: 0.0000005 })],
  ])('a transaction with %s is certain, and the server reads the balance', async (_, answer) => {
    for (const call of [DEBIT, CREDIT, ROLLBACK])
      expect((await send(call, answer)).result).toEqual({ kind: 'accepted', httpStatus: 200, body: {} });
    expect((await send(BALANCE, answer)).result).toMatchObject({ kind: 'uncertain', code: 'invalid_response' });
  });

  it.each<[string, WalletExchange, object]>([
    ['not sent', { kind: 'not_sent', detail: 'd' }, { kind: 'not_sent', detail: 'd' }],
    ['lost', { kind: 'failed', code: 'timeout', detail: 'd' }, { kind: 'uncertain', code: 'timeout', detail: 'd' }],
  ])('a request that is %s is so', async (_, exchange, expected) => {
    expect((await send(DEBIT, () => exchange)).result).toEqual(expected);
  });
});
