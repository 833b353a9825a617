import { randomUUID } from 'node:crypto';
import type { SignedCall, SigningOptions } from '@roundhouse/contract';
import { expect, test } from 'vitest';
import { NEXT_SECRET, SECRET, useOperator } from '../support/testOperator.ts';
import { nowSeconds, signedHeaders } from '../support/walletClient.ts';

const operator = useOperator();

const BODY = JSON.stringify({ sessionID: 'unknown', gameID: 'sample' });

async function send(headers: Record<string, string>, text = BODY) {
  return operator.wallet.send('/authenticate', text, headers);
}

const signed = (options: Partial<SigningOptions> = {}, call: Partial<SignedCall> = {}) =>
  signedHeaders({ path: '/authenticate', body: BODY, ...call }, { secret: SECRET, ...options });

/** It was let in: nobody knows the session. */
const LET_IN = { status: 400, body: { error: 'ERR_IS' } };
const SHUT_OUT = { status: 401, body: { error: 'ERR_VAL', message: expect.any(String) } };

test('both secrets are good, another is not', async () => {
  for (const secret of [SECRET, NEXT_SECRET]) expect(await send(await signed({ secret }))).toMatchObject(LET_IN);
  expect(await send(await signed({ secret: 'another' }))).toMatchObject(SHUT_OUT);
});

test('a missing or broken signature is 401', async () => {
  const good = await signed();
  for (const name of Object.keys(good)) {
    const { [name]: _, ...others } = good;
    expect(await send(others), name).toMatchObject(SHUT_OUT);
  }
  expect(await send({ ...good, 'x-roundhouse-signature': 'v2=00' })).toMatchObject(SHUT_OUT);
  expect(await send({ ...good, 'x-roundhouse-timestamp': String(nowSeconds() + 7) })).toMatchObject(SHUT_OUT);
  expect(await send({ ...good, 'x-roundhouse-nonce': 'n'.repeat(36) })).toMatchObject(SHUT_OUT);
});

test('the signature of another path, method or direction is 401', async () => {
  const others: Partial<SignedCall>[] = [
    { path: '/balance' },
    { path: '/wallet/authenticate' },
    { path: '/authenticate?a=1' },
    { method: 'GET' },
    { direction: 'to-rgs' },
  ];
  for (const call of others) expect(await send(await signed({}, call)), JSON.stringify(call)).toMatchObject(SHUT_OUT);
});

test('the window is 300 seconds to both sides', async () => {
  const signedAt = async (offset: number) => send(await signed({ nowSeconds: nowSeconds() + offset }));
  expect(await signedAt(-290)).toMatchObject(LET_IN);
  expect(await signedAt(290)).toMatchObject(LET_IN);
  expect(await signedAt(-310)).toMatchObject(SHUT_OUT);
  expect(await signedAt(310)).toMatchObject(SHUT_OUT);
});

test('the signature is over the very bytes: a space more is another body', async () => {
  expect(await send(await signed(), `${BODY} `)).toMatchObject(SHUT_OUT);
});

test('a call that is not signed is told nothing and does nothing', async () => {
  const player = await operator.newPlayer();
  const { debitID, facts } = player.newBet();
  const body = { transactionID: debitID, sessionID: player.sessionID, amount: 1, mode: 'BASE', ...facts };
  const refused = await operator.wallet.send('/debit', JSON.stringify(body), {});
  expect(refused).toMatchObject(SHUT_OUT);
  expect(await operator.wallet.send('/debit', 'not even JSON', {})).toMatchObject(SHUT_OUT);
  expect(await player.balance()).toBe(1_000_000_000);
});

test('what is signed and wrong is ERR_VAL', async () => {
  const player = await operator.newPlayer();
  const { debitID, facts } = player.newBet();
  const good = { transactionID: debitID, sessionID: player.sessionID, amount: 1, mode: 'BASE', ...facts };
  const bad: unknown[] = [
    '',
    'not JSON',
    '[]',
    'null',
    { ...good, amount: 0 },
    { ...good, amount: 1.5 },
    { ...good, amount: '1' },
    { ...good, amount: 2 ** 53 },
    { ...good, transactionID: 'no-uuid' },
    { ...good, currency: 'DOGE' },
    { ...good, roundID: 'a\u0000b' },
    { ...good, mode: '\ud800' },
    { ...good, playerID: undefined },
    { ...good, filling: 'x'.repeat(17_000) },
  ];
  for (const body of bad) {
    expect(await operator.wallet.post('/debit', body), JSON.stringify(body)?.slice(0, 200)).toMatchObject({
      status: 400,
      body: { error: 'ERR_VAL' },
    });
  }
  expect(await player.balance()).toBe(1_000_000_000);
});

test('another method or path is no call of the wallet', async () => {
  expect((await fetch(`${operator.url}/wallet/debit`)).status).toBe(404);
  expect(await operator.wallet.post('/deposit', { transactionID: randomUUID() })).toMatchObject({
    status: 404,
    body: { error: 'ERR_VAL' },
  });
});

test('no sessionID, token or secret is ever logged', async () => {
  const player = await operator.newPlayer();
  await operator.wallet.post('/authenticate', { sessionID: player.sessionID, gameID: player.gameID, token: 'wrong' });
  const launched = operator.rgs.calls.at(-1)?.body;
  const log = operator.logLines.join('');
  expect(log).toContain('/wallet/authenticate');
  for (const secret of [player.sessionID, launched.token, SECRET, NEXT_SECRET]) expect(log).not.toContain(secret);
});
