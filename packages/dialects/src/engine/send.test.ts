import { generateKeyPairSync, verify } from 'node:crypto';
import type { WalletExchange } from '@roundhouse/wallet-check/http';
import { describe, expect, it } from 'vitest';
import type { WalletCall } from '../walletCall.ts';
import { send } from './send.ts';
import { connectionOf, settingsSchema } from './settings.ts';

const PEM = {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const;
const keys = generateKeyPairSync('ed25519', PEM);
const SETTINGS = { operator: 'acme', privateKey: keys.privateKey, operatorPublicKeys: [keys.publicKey] };
const currencies = { UBTC: { code: 'BTC', shift: 6 } };
const connection = connectionOf(settingsSchema.parse({ ...SETTINGS, currencies }));

const DEBIT = 'fd76b683-0ec1-4c0b-bcc3-c92ad3fcf6d2';
const CREDIT = '084b0e7e-e9ee-49b2-b95f-4c5ac8c2e6ff';
const ROLLBACK = '3617edba-0ec1-4c0b-bcc3-c92ad3fcf6d2';
const ROUND = { roundID: '4119983943', playerID: 'ann', gameID: 'slot', currency: 'EUR' };
const context = { token: '01927b8e-0000-7000-8000-000000000001' };
const CALLS = {
  authenticate: {
    name: 'authenticate',
    body: { sessionID: 's', gameID: 'slot' },
    context: { ...context, playerID: 'ann', currency: 'EUR' },
  },
  balance: { name: 'balance', body: { sessionID: 's', ...ROUND }, context },
  debit: {
    name: 'debit',
    body: { ...ROUND, sessionID: 's', transactionID: DEBIT, amount: 100, mode: 'BASE' },
    context,
  },
  credit: {
    name: 'credit',
    body: { ...ROUND, transactionID: CREDIT, debitTransactionID: DEBIT, amount: 200, roundClosed: true },
    context,
  },
  rollback: {
    name: 'rollback',
    body: { ...ROUND, transactionID: ROLLBACK, debitTransactionID: DEBIT, reason: 'lost' },
    context,
  },
} satisfies Record<string, WalletCall>;
type Name = keyof typeof CALLS;
const withBody = (call: WalletCall, body: object) => ({ ...call, body: { ...call.body, ...body } }) as WalletCall;

/** Sends the call to a wallet that responds so, and returns what was sent, and the result. */
async function sent(
  call: WalletCall,
  response: unknown = { balance: { amount: 1, currency: 'EUR' } },
  httpStatus = 200,
) {
  const requests: { path: string; headers: string[]; body: string }[] = [];
  const text = typeof response === 'string' ? response : JSON.stringify(response);
  const result = await send(connection, call, async (request): Promise<WalletExchange> => {
    requests.push(request);
    return { kind: 'responded', httpStatus, text };
  });
  return { result, requests };
}

describe('a request', () => {
  const token = `"token":"${context.token}"`;
  const round = `{${token},"round":4119983943`;
  const debit = `"debit":{"id":"${DEBIT}","amount":100,"currency":"EUR"},"credit":null`;
  it.each<[string, WalletCall, string, string]>([
    ['authenticate', CALLS.authenticate, 'balance', `{${token}}`],
    ['balance', CALLS.balance, 'balance', `{${token}}`],
    ['debit', CALLS.debit, 'debit', `${round},"mode":"BASE","active":true,"ip":"",${debit}}`],
    [
      'a debit that closes its round',
      { ...CALLS.debit, context: { ...context, closesRound: true } },
      'debit',
      `${round},"mode":"BASE","active":false,"ip":"",${debit}}`,
    ],
    [
      'credit',
      CALLS.credit,
      'credit',
      `${round},"active":false,"ip":"","credit":{"id":"${CREDIT}","amount":200,"ref":"${DEBIT}","currency":"EUR"}}`,
    ],
    ['a credit of nothing', withBody(CALLS.credit, { amount: 0 }), 'credit', `${round},"active":false,"ip":""}`],
    [
      'rollback',
      CALLS.rollback,
      'rollback',
      `${round},"active":false,"rollbacks":[{"id":"${ROLLBACK}","ref":"${DEBIT}"}]}`,
    ],
    [
      'of a round above 2^53',
      withBody(CALLS.credit, { amount: 0, roundID: '9007199254740993' }),
      'credit',
      `{${token},"round":9007199254740993,"active":false,"ip":""}`,
    ],
  ])('%s', async (_what, call, path, body) => {
    const { requests } = await sent(call);
    expect(requests).toMatchObject([{ path: `/v1/${path}`, body }]);
    const headers = requests[0]?.headers ?? [];
    const signature = Buffer.from(headers[headers.indexOf('x-signature') + 1] ?? '', 'base64');
    expect(verify(null, Buffer.from(body), keys.publicKey, signature)).toBe(true);
  });

  it('has the code and the unit of the wallet', async () => {
    const call = withBody(CALLS.debit, { currency: 'UBTC', amount: 3_000_000 });
    const { requests, result } = await sent(call, { balance: { amount: 5, currency: 'BTC' } });
    expect(JSON.parse(requests[0]?.body ?? '').debit).toMatchObject({ amount: 3, currency: 'BTC' });
    expect(result).toMatchObject({ kind: 'accepted', body: { balance: 5_000_000 } });
  });

  it.each<[string, WalletCall, string]>([
    ['in an unknown currency', withBody(CALLS.debit, { currency: 'XDOGE' }), 'ERR_VAL'],
    ['of less than the unit', withBody(CALLS.debit, { currency: 'UBTC', amount: 1 }), 'ERR_VAL'],
    ['without the token of a launch', { ...CALLS.debit, context: {} }, 'ERR_IS'],
  ])('%s is not sent', async (_what, call, code) => {
    expect(await sent(call)).toMatchObject({ result: { kind: 'refused', code }, requests: [] });
  });

  it('of a group or a list is lacking', async () => {
    for (const name of ['closeRounds', 'transactions'] as const)
      expect((await sent({ name, body: {}, context: {} } as unknown as WalletCall)).result.kind).toBe('lacking');
  });
});

const euros = (amount: unknown) => ({ balance: { amount, currency: 'EUR' } });
const accepted = (balance: number | undefined, reference?: string) => ({
  kind: 'accepted',
  body: { balance, reference },
});
const INVALID = { kind: 'uncertain', code: 'invalid_response' };

describe('a success', () => {
  it.each<[string, Name, unknown, object]>([
    ['names the player of the launch', 'authenticate', euros(5), { body: { playerID: 'ann', currency: 'EUR' } }],
    ['has a balance', 'balance', euros(5), accepted(5)],
    ['has a balance below zero', 'balance', euros(-5), accepted(-5)],
    ['has a balance of a calculation in binary', 'balance', euros(99_960_000.00000001), accepted(99_960_000)],
    ['has half a micro', 'balance', euros(0.5), INVALID],
    ['has another currency', 'balance', { balance: { amount: 5, currency: 'USD' } }, INVALID],
    ['has no balance', 'balance', {}, INVALID],
    ['of a debit has a balance without an id', 'debit', euros(5), accepted(5)],
    ['of a debit has an id without a balance', 'debit', { debit_id: 'd' }, accepted(undefined, 'd')],
    ['of a debit has half a micro', 'debit', euros(0.5), accepted(undefined)],
    ['of a debit has another currency', 'debit', { balance: { amount: 5, currency: 'USD' } }, INVALID],
    ['of a debit has neither', 'debit', { credit_id: null }, INVALID],
    ['of a credit has an id', 'credit', { credit_id: 'c' }, accepted(undefined, 'c')],
    ['of a rollback has ids', 'rollback', { rollback_ids: ['r'] }, accepted(undefined, 'r')],
    ['is no object', 'debit', [], INVALID],
    ['is no JSON', 'debit', '<html>', INVALID],
    ['has a code', 'debit', { ...euros(5), code: 'ERR_IPB' }, INVALID],
  ])('%s', async (_what, name, response, expected) => {
    expect((await sent(CALLS[name], response)).result).toMatchObject(expected);
  });

  it('has any status of 2xx', async () => {
    expect((await sent(CALLS.debit, euros(5), 201)).result).toMatchObject({ ...accepted(5), httpStatus: 201 });
    expect((await sent(CALLS.debit, euros(5), 302)).result).toMatchObject(INVALID);
  });
});

const refused = (code: string, more: object = {}) => ({ kind: 'refused', code, final: false, ...more });
const FINAL = { final: true };

describe('a refusal', () => {
  it.each<[string, number, Name, object]>([
    ['ERR_ATE', 401, 'debit', refused('ERR_GE')],
    ['ERR_ATE', 401, 'credit', refused('ERR_GE')],
    ['ERR_IS', 400, 'balance', refused('ERR_IS', FINAL)],
    ['ERR_IS', 400, 'credit', refused('ERR_IS', FINAL)],
    ['ERR_IPB', 400, 'debit', refused('ERR_IPB')],
    ['ERR_BAD', 400, 'debit', refused('ERR_VAL', FINAL)],
    ['ERR_BAD', 400, 'credit', refused('ERR_VAL', FINAL)],
    ['ERR_BC', 400, 'debit', refused('ERR_VAL', FINAL)],
    ['ERR_BC', 400, 'credit', refused('ERR_VAL', FINAL)],
    ['ERR_BC', 400, 'rollback', refused('ERR_VAL', { final: true, debitStands: true })],
    ['ERR_BNF', 404, 'credit', refused('ERR_BNF')],
    ['ERR_BNF', 404, 'rollback', refused('ERR_BNF')],
    // The status says whether the wallet is certain, so any of 4xx will do.
    ['ERR_IPB', 402, 'debit', refused('ERR_IPB')],
    ['ERR_IPB', 500, 'debit', INVALID],
    ['ERR_BC', 500, 'rollback', INVALID],
    ['ERR_GE', 500, 'debit', { kind: 'uncertain', code: 'ERR_UE' }],
    ['ERR_GE', 400, 'debit', { kind: 'uncertain', code: 'ERR_UE' }],
    ['ERR_UE', 500, 'rollback', { kind: 'uncertain', code: 'ERR_UE' }],
    ['ERR_MAYBE', 400, 'debit', INVALID],
    ['constructor', 400, 'debit', INVALID],
  ])('%s with status %i of a %s', async (code, httpStatus, name, expected) => {
    const { result } = await sent(CALLS[name], { code, message: 'no' }, httpStatus);
    expect(result).toMatchObject({ httpStatus, ...expected });
    expect('debitStands' in result).toBe('debitStands' in expected);
  });

  it.each([400, 404, 500, 503])('with status %i and no code is uncertain', async (httpStatus) => {
    expect((await sent(CALLS.debit, '<html>', httpStatus)).result).toMatchObject({ ...INVALID, httpStatus });
  });

  it.each<[WalletExchange, object]>([
    [
      { kind: 'failed', code: 'timeout', detail: '' },
      { kind: 'uncertain', code: 'timeout' },
    ],
    [{ kind: 'not_sent', detail: 'no connection' }, { kind: 'not_sent' }],
  ])('%j', async (exchange, expected) => {
    expect(await send(connection, CALLS.debit, async () => exchange)).toMatchObject(expected);
  });
});
