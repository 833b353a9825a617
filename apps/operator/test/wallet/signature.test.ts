import type { SignedCall, SigningOptions } from '@roundhouse/contract';
import { expect, test } from 'vitest';
import { NEXT_SECRET, OPENING_MICROS, SECRET, useOperator, usePlayer } from '../support/testOperator.ts';
import { nowSeconds, signedHeaders } from '../support/walletClient.ts';

const operator = useOperator();
const player = usePlayer(operator);

const BODY = JSON.stringify({ sessionID: 'unknown', gameID: 'sample' });

const send = (headers: Record<string, string>, text = BODY) => operator.wallet.send('/authenticate', text, headers);

const signed = (options: Partial<SigningOptions> = {}, request: Partial<SignedCall> = {}) =>
  signedHeaders({ path: '/authenticate', body: BODY, ...request }, { secret: SECRET, ...options });

/** The signature is valid, and the session is unknown. */
const ACCEPTED = { status: 400, body: { error: 'ERR_IS' } };
const REFUSED = { status: 401, body: { error: 'ERR_VAL', message: expect.any(String) } };

function debitBody() {
  const { debitID, facts } = player.newBet();
  return { transactionID: debitID, sessionID: player.sessionID, amount: 1, mode: 'BASE', ...facts };
}

test('both secrets are valid, another is not', async () => {
  for (const secret of [SECRET, NEXT_SECRET]) expect(await send(await signed({ secret }))).toMatchObject(ACCEPTED);
  expect(await send(await signed({ secret: 'another' }))).toMatchObject(REFUSED);
});

test('a missing or broken signature is 401', async () => {
  const valid = await signed();
  for (const name of Object.keys(valid)) {
    const { [name]: _, ...others } = valid;
    expect(await send(others), name).toMatchObject(REFUSED);
  }
  for (const changes of [
    { 'x-roundhouse-signature': 'v2=00' },
    { 'x-roundhouse-timestamp': String(nowSeconds() + 7) },
    { 'x-roundhouse-nonce': 'n'.repeat(36) },
  ]) {
    expect(await send({ ...valid, ...changes })).toMatchObject(REFUSED);
  }
});

test.each<Partial<SignedCall>>([
  { path: '/balance' },
  { path: '/wallet/authenticate' },
  { path: '/authenticate?a=1' },
  { method: 'GET' },
  { direction: 'to-rgs' },
])('the signature of %j is 401', async (request) => {
  expect(await send(await signed({}, request))).toMatchObject(REFUSED);
});

test('the window is 300 seconds to both sides', async () => {
  const signedAt = async (offset: number) => send(await signed({ nowSeconds: nowSeconds() + offset }));
  for (const offset of [-290, 290]) expect(await signedAt(offset)).toMatchObject(ACCEPTED);
  for (const offset of [-310, 310]) expect(await signedAt(offset)).toMatchObject(REFUSED);
});

test('the signature is over the bytes: one more space is another body', async () => {
  expect(await send(await signed(), `${BODY} `)).toMatchObject(REFUSED);
});

test('a request without a signature does nothing and learns nothing', async () => {
  for (const text of [JSON.stringify(debitBody()), 'not even JSON']) {
    expect(await operator.wallet.send('/debit', text, {})).toMatchObject(REFUSED);
  }
  expect(await player.balance()).toBe(OPENING_MICROS);
});

test('a signed request that is not valid is ERR_VAL', async () => {
  const changes: object[] = [
    { amount: 0 },
    { amount: 1.5 },
    { amount: '1' },
    { amount: 2 ** 53 },
    { transactionID: 'no-uuid' },
    { currency: 'DOGE' },
    { roundID: 'a\u0000b' },
    { mode: '\ud800' },
    { playerID: undefined },
    { filling: 'x'.repeat(17_000) },
  ];
  const invalid = changes.map((each) => ({ ...debitBody(), ...each }));
  for (const body of ['', 'not JSON', '[]', 'null', ...invalid]) {
    const response = await operator.wallet.post('/debit', body);
    expect(response, JSON.stringify(body).slice(0, 200)).toMatchObject({ status: 400, body: { error: 'ERR_VAL' } });
  }
  expect(await player.balance()).toBe(OPENING_MICROS);
});

test('another method or path is 404', async () => {
  expect((await fetch(`${operator.url}/wallet/debit`)).status).toBe(404);
  expect(await operator.wallet.post('/deposit', {})).toMatchObject({ status: 404, body: { error: 'ERR_VAL' } });
});

test('the log has no sessionID, token or secret', async () => {
  const { sessionID, gameID } = player;
  await operator.wallet.post('/authenticate', { sessionID, gameID, token: 'wrong' });
  const { token } = operator.rgs.requests.at(-1)?.body ?? {};
  const log = operator.logLines.join('');
  expect(log).toContain('/wallet/authenticate');
  for (const secret of [sessionID, token, SECRET, NEXT_SECRET]) expect(log).not.toContain(secret);
});
