import { createHmac } from 'node:crypto';
import type { WalletExchange } from '@roundhouse/wallet-check/http';
import { describe, expect, it } from 'vitest';
import type { Post } from '../dialect.ts';
import type { WalletCall } from '../walletCall.ts';
import { softswiss } from './dialect.ts';
import { settingsSchema } from './settings.ts';
import { signatureOf } from './signature.ts';

const ONE = { id: 'one', token: 'token-of-one' };
const TWO = { id: 'two', token: 'token-of-two', path: '/brand-two' };
const OK: WalletExchange = { kind: 'responded', httpStatus: 200, text: '{}' };

function connect(settings: object = {}) {
  const all = settingsSchema.parse({ casinos: [{ ...ONE, token: 'casino-token' }], ...settings });
  return softswiss.connect({ code: 'acme', settings: all, secrets: [] });
}

/** Sends a call to a wallet that responds so, and returns the result with the requests. */
async function send(
  call: WalletCall,
  { settings = {}, exchange = OK }: { settings?: object; exchange?: WalletExchange } = {},
) {
  const requests: Parameters<Post>[0][] = [];
  const result = await connect(settings).send(call, async (request) => {
    requests.push(request);
    return exchange;
  });
  return { result, requests };
}

const ROUND = { roundID: '1204', playerID: 'ann', gameID: 'slot', currency: 'EUR' };
const CREDIT = { ...ROUND, transactionID: 'c', debitTransactionID: 'd', roundClosed: true };
const token = 'SID';
const debit = (more: object = {}, context: object = {}) =>
  ({
    name: 'debit',
    body: { ...ROUND, transactionID: 'd', sessionID: 's', amount: 1_250_000, mode: 'BASE', ...more },
    context: { token, ...context },
  }) as WalletCall;
const credit = (more: object = {}) =>
  ({ name: 'credit', body: { ...CREDIT, amount: 500_000, ...more }, context: { token } }) as WalletCall;
const rollback = (context: object = {}) =>
  ({
    name: 'rollback',
    body: { ...ROUND, transactionID: 'r', debitTransactionID: 'd', reason: 'why' },
    context: { token, amount: 1_250_000, ...context },
  }) as WalletCall;
const authenticate: WalletCall = {
  name: 'authenticate',
  body: { sessionID: 's', gameID: 'slot' },
  context: { token, playerID: 'ann', currency: 'EUR' },
};

const PLAYER = { account_id: 'ann', currency: 'EUR' };
const BALANCE = { ...PLAYER, game_id: 'slot', session_id: 'SID' };
const BET_WIN = { ...BALANCE, round_id: '1204' };
const BET = { type: 'bet', amount: '1.25', id_provider: 'd' };

describe('a request', () => {
  it.each<[name: string, WalletCall, rpc: string, body: object]>([
    ['authenticate', authenticate, 'Player/Balance', BALANCE],
    ['a debit', debit(), 'Round/BetWin', { ...BET_WIN, finished: false, transactions: [BET] }],
    [
      'the debit of a lost round',
      debit({}, { closesRound: true }),
      'Round/BetWin',
      { ...BET_WIN, finished: true, transactions: [BET] },
    ],
    ['the debit of a free round', debit({ amount: 0, freeBet: 5, grantID: 'g' }), 'Player/Balance', BALANCE],
    [
      'a credit',
      credit(),
      'Round/BetWin',
      { ...BET_WIN, finished: true, transactions: [{ type: 'win', amount: '0.50', id_provider: 'c' }] },
    ],
    ['a credit of 0', credit({ amount: 0 }), 'Round/Finish', { ...PLAYER, session_id: 'SID', round_id: '1204' }],
    ['the credit of a free round', credit({ amount: 0, grantID: 'g' }), 'Player/Balance', BALANCE],
    [
      'the winnings of a grant',
      credit({ grantID: 'g', grantClosed: true }),
      'Freespins/Finish',
      { issue_id: 'g', amount: '0.50' },
    ],
    [
      'a rollback',
      rollback(),
      'Round/Rollback',
      {
        ...{ ...BALANCE, round_id_provider: '1204', finished: true },
        transactions: [{ type: 'rollback', id_provider: 'r', original_id_provider: 'd' }],
      },
    ],
    ['the rollback of a free round', rollback({ amount: 0 }), 'Player/Balance', BALANCE],
  ])('of %s', async (_, call, rpc, body) => {
    const { requests } = await send(call);
    expect(requests).toHaveLength(1);
    const [{ path, headers, body: sent } = { path: '', headers: [], body: '' }] = requests;
    expect(path).toBe(`/v2/provider_a8r.${rpc}`);
    expect(JSON.parse(sent)).toEqual(body);
    const signature = createHmac('sha256', 'casino-token').update(sent).digest('hex');
    expect(headers).toEqual(['content-type', 'application/json', 'x-request-sign', signature]);
  });

  it('repeats its bytes when it is sent again', async () => {
    const [first, second] = [await send(credit()), await send(credit())];
    expect(first.requests).toEqual(second.requests);
  });

  it.each(['closeRounds', 'transactions'])('of %s does not exist', async (name) => {
    const { result, requests } = await send({ name, body: {}, context: {} } as unknown as WalletCall);
    expect(result).toEqual({ kind: 'lacking', httpStatus: undefined });
    expect(requests).toEqual([]);
  });

  it.each([
    ['an amount between', debit({ amount: 1_255_000 })],
    ['an amount of a currency without decimals', debit({ amount: 500_000, currency: 'JPY' })],
    ['a currency that the wallet does not know', debit({ currency: 'UBTC' })],
    ['a win', credit({ amount: 1 })],
    ['winnings', credit({ amount: 1, grantID: 'g', grantClosed: true })],
  ])('is not sent for %s', async (_, call) => {
    const { result, requests } = await send(call);
    expect(result).toMatchObject({ kind: 'refused', code: 'ERR_VAL' });
    expect(requests).toEqual([]);
  });

  it('writes the currency, the game and the casino as the aggregator has them', async () => {
    const settings = {
      casinos: [ONE, TWO],
      provider: 'studio',
      currencies: { UBTC: { code: 'BTC', decimals: 8, shift: 6 } },
    };
    const call = debit({ currency: 'UBTC', playerID: 'two/ann/2', amount: 10_000 });
    const { requests } = await send(call, { settings });
    const [{ path, headers, body } = { path: '', headers: [], body: '' }] = requests;
    expect(path).toBe('/brand-two/v2/provider_a8r.Round/BetWin');
    expect(headers.at(-1)).toBe(signatureOf(body, 'token-of-two'));
    expect(JSON.parse(body)).toMatchObject({
      ...{ account_id: 'ann/2', currency: 'BTC', game_id: 'studio:slot' },
      transactions: [{ amount: '0.00000001' }],
    });
    // This player is older than the second casino.
    const old = await send(debit({ playerID: 'ann' }), { settings });
    expect(JSON.parse(old.requests[0]?.body ?? '')).toMatchObject({ account_id: 'ann' });
    expect(old.requests[0]?.headers.at(-1)).toBe(signatureOf(old.requests[0]?.body ?? '', 'token-of-one'));
  });

  it('the least amount of a currency is that of its decimals', () => {
    const { unitOf } = connect({ currencies: { UBTC: { code: 'BTC', decimals: 8, shift: 6 }, EUR: { decimals: 6 } } });
    expect(['EUR', 'USD', 'JPY', 'KWD', 'UBTC', 'QQQ'].map(unitOf)).toEqual([
      1,
      10_000,
      1_000_000,
      1000,
      10_000,
      undefined,
    ]);
  });
});

describe('a response', () => {
  const responded = (body: unknown, httpStatus = 200): WalletExchange => {
    return { kind: 'responded', httpStatus, text: typeof body === 'string' ? body : JSON.stringify(body) };
  };
  const bet = { round_id: '1204', balance: '8.75', transactions: [{ id: '1', id_provider: 'd' }] };
  const accepted = (balance: number) => ({ kind: 'accepted', httpStatus: 200, body: { balance } });
  const unread = { kind: 'accepted', httpStatus: 200, body: { balance: undefined } };
  const uncertain = { kind: 'uncertain' };
  const refused = (code: string) => ({ kind: 'refused', code });
  const error = (api_code: unknown, code = 'invalid_argument') => ({ code, msg: 'no', meta: { api_code } });

  it.each<[unknown, number, WalletCall, object]>([
    [bet, 200, debit(), accepted(8_750_000)],
    [{ ...bet, balance: '-0.50' }, 200, debit(), accepted(-500_000)],
    [{ ...bet, balance: '7' }, 200, debit(), accepted(7_000_000)],
    [{ ...bet, balance: '0.123456000000' }, 200, debit(), accepted(123_456)],
    [{ ...bet, balance: '99.96000000000001' }, 200, debit(), accepted(99_960_000)],
    [{ ...bet, balance: 8.75 }, 200, debit(), accepted(8_750_000)],
    // Whole micros alone are a balance. The ids are certain of the money.
    [{ ...bet, balance: '0.1234567' }, 200, debit(), unread],
    [{ ...bet, balance: '99999999999999999999' }, 200, debit(), unread],
    [{ ...bet, balance: undefined }, 200, debit(), unread],
    [{ balance: '0.1234567' }, 200, credit({ amount: 0 }), unread],
    [{}, 200, credit({ amount: 0 }), uncertain],
    [{ balance: '0.1234567' }, 200, authenticate, uncertain],
    [{ ...bet, round_id: '1205' }, 200, debit(), uncertain],
    [{ ...bet, transactions: [] }, 200, debit(), uncertain],
    [{ ...bet, transactions: [{ id_provider: 'x' }] }, 200, debit(), uncertain],
    [{ ...bet, transactions: [null] }, 200, debit(), uncertain],
    [bet, 201, debit(), uncertain],
    ['<h1>Bad Gateway</h1>', 502, debit(), uncertain],
    ['null', 200, debit(), uncertain],
    ['[]', 400, debit(), uncertain],
    [{ balance: '1.00' }, 200, credit({ amount: 0 }), accepted(1_000_000)],
    [{ balance: '1.00' }, 200, authenticate, { body: { playerID: 'ann', currency: 'EUR', balance: 1_000_000 } }],
    [
      { balance: '1.00', round_id: 'theirs', transactions: [{ id_provider: 'r' }] },
      200,
      rollback(),
      accepted(1_000_000),
    ],
    [{ balance: '1.00', transactions: [{ id_provider: 'd' }] }, 200, rollback(), uncertain],
    // An error is one at any status; above 499 it is never certain.
    [error('100'), 400, debit(), refused('ERR_IPB')],
    [error(100), 412, debit(), refused('ERR_IPB')],
    [{ meta: { api_code: '105' } }, 200, debit(), refused('ERR_GLE')],
    [error('106'), 400, debit(), refused('ERR_GLE')],
    [error('100'), 500, debit(), uncertain],
    [error('500', 'internal'), 400, debit(), uncertain],
    [error('999'), 400, debit(), uncertain],
    [error('constructor'), 400, debit(), uncertain],
    [{ code: 107 }, 400, debit(), uncertain],
    [{ code: { toString: 1 }, meta: { api_code: { toString: 1 } } }, 400, debit(), uncertain],
    [{ code: 'permission_denied', msg: 'sign' }, 403, debit(), refused('ERR_GE')],
    [error('101'), 400, credit(), { ...refused('ERR_IS'), httpStatus: 400 }],
    [error('154'), 400, credit(), { ...refused('ERR_VAL'), final: true }],
    [error('610'), 400, credit({ grantID: 'g', grantClosed: true }), { ...refused('ERR_VAL'), final: true }],
    // The id may be there because an earlier attempt has arrived.
    [error('409', 'already_exists'), 400, debit(), uncertain],
    [error('409', 'already_exists'), 400, credit(), refused('ERR_DUP')],
    [error('404', 'not_found'), 400, rollback(), refused('ERR_BNF')],
    [error('404', 'not_found'), 400, debit(), uncertain],
  ])('%j with status %i', async (body, httpStatus, call, expected) => {
    const { result } = await send(call, { exchange: responded(body, httpStatus) });
    expect(result).toMatchObject(expected);
    expect('final' in result).toBe('final' in expected);
  });

  it.each<[WalletExchange, object]>([
    [
      { kind: 'failed', code: 'timeout', detail: 'time-out' },
      { kind: 'uncertain', code: 'timeout', detail: 'time-out' },
    ],
    [
      { kind: 'not_sent', detail: 'paused' },
      { kind: 'not_sent', detail: 'paused' },
    ],
  ])('that is missing: %j', async (exchange, expected) => {
    expect((await send(debit(), { exchange })).result).toEqual(expected);
  });

  it('of a crypto wallet is read in the units of the server', async () => {
    const settings = { currencies: { UBTC: { code: 'BTC', decimals: 8, shift: 6 } } };
    const exchange = responded({ ...bet, balance: '0.00000001' });
    const { result } = await send(debit({ currency: 'UBTC', amount: 10_000 }), { settings, exchange });
    expect(result).toEqual(accepted(10_000));
  });
});
