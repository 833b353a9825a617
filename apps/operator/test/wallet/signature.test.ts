import type { SignedCall, SigningOptions } from '@roundhouse/contract';
import { expect, it } from 'vitest';
import { NEXT_SECRET, OPENING_MICROS, SECRET, useOperator, usePlayer } from '../support/testOperator.ts';
import { signedHeaders } from '../support/walletClient.ts';

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

it('both secrets are valid, another is not', async () => {
  for (const secret of [SECRET, NEXT_SECRET]) expect(await send(await signed({ secret }))).toMatchObject(ACCEPTED);
  expect(await send(await signed({ secret: 'another' }))).toMatchObject(REFUSED);
});

it('each header is needed and signed', async () => {
  const valid = await signed();
  for (const name of Object.keys(valid)) {
    const { [name]: _, ...others } = valid;
    expect(await send(others), name).toMatchObject(REFUSED);
    expect(await send({ ...valid, [name]: '0' }), name).toMatchObject(REFUSED);
  }
});

const secondsAgo = (seconds: number) => ({ nowSeconds: Math.floor(Date.now() / 1000) - seconds });

it.each<[Partial<SignedCall>, number, object]>([
  [{}, 290, ACCEPTED],
  [{}, -290, ACCEPTED],
  [{}, 310, REFUSED],
  [{}, -310, REFUSED],
  [{ path: '/balance' }, 0, REFUSED],
  [{ path: '/wallet/authenticate' }, 0, REFUSED],
  [{ path: '/authenticate?a=1' }, 0, REFUSED],
  [{ method: 'GET' }, 0, REFUSED],
  [{ direction: 'to-rgs' }, 0, REFUSED],
  // The bytes are signed: one space more is another body.
  [{ body: `${BODY} ` }, 0, REFUSED],
])('the signature of %j, %i seconds ago: %j', async (request, seconds, response) => {
  expect(await send(await signed(secondsAgo(seconds), request))).toMatchObject(response);
});

it('a request without a signature does nothing and learns nothing', async () => {
  for (const text of [JSON.stringify(debitBody()), 'not even JSON']) {
    expect(await operator.wallet.send('/debit', text, {})).toMatchObject(REFUSED);
  }
  expect(await player.balance()).toBe(OPENING_MICROS);
});

it.each<[string, object]>([
  ['an amount of 0', { amount: 0 }],
  ['a fraction', { amount: 1.5 }],
  ['a text', { amount: '1' }],
  ['a large amount', { amount: 2 ** 53 }],
  ['no UUID', { transactionID: 'no-uuid' }],
  ['no currency', { currency: 'DOGE' }],
  ['U+0000', { roundID: 'a\u0000b' }],
  ['half a surrogate pair', { mode: '\ud800' }],
  ['no player', { playerID: undefined }],
  ['17 kB', { filling: 'x'.repeat(17_000) }],
])('a signed debit with %s is ERR_VAL', async (_what, changes) => {
  const response = await operator.wallet.post('/debit', { ...debitBody(), ...changes });
  expect(response).toMatchObject({ status: 400, body: { error: 'ERR_VAL' } });
  expect(await player.balance()).toBe(OPENING_MICROS);
});

it.each(['', 'not JSON', '[]', 'null'])('a signed body "%s" is ERR_VAL', async (body) => {
  expect(await operator.wallet.post('/debit', body)).toMatchObject({ status: 400, body: { error: 'ERR_VAL' } });
});

it('another method or path is 404', async () => {
  expect((await fetch(`${operator.url}/wallet/debit`)).status).toBe(404);
  expect(await operator.wallet.post('/deposit', {})).toMatchObject({ status: 404, body: { error: 'ERR_VAL' } });
});

it('the log has no sessionID, token or secret', async () => {
  const { sessionID, gameID } = player;
  await operator.wallet.post('/authenticate', { sessionID, gameID, token: 'wrong' });
  const { token } = operator.rgs.requests.at(-1)?.body ?? {};
  const log = operator.logLines.join('');
  expect(log).toContain('/wallet/authenticate');
  for (const secret of [sessionID, token, SECRET, NEXT_SECRET]) expect(log).not.toContain(secret);
});
