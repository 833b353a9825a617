import { generateKeyPairSync } from 'node:crypto';
import { toMicros } from '@roundhouse/contract';
import { checkWallet, requestTestSession } from '@roundhouse/wallet-check';
import { expect, it } from 'vitest';
import { SECRET, useOperator } from '../support/testOperator.ts';

function newKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const own = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { own, published: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
}

const server = newKeys();

const operator = useOperator({ secrets: [SECRET, newKeys().own + server.published] });

it.each([
  ['a shared secret', SECRET],
  ["the server's Ed25519 key", server.own],
])('the wallet gives a test session, and keeps every rule of the protocol, by %s', async (_, secret) => {
  const wallet = { baseUrl: `${operator.url}/wallet`, secret, gameID: 'a-game' };
  const { ok, ...sessions } = await requestTestSession(wallet);
  expect(ok).toBe(true);
  const extent = { bet: toMicros(1_000_000), freeRounds: true, closingDebits: true };
  const outcome = await checkWallet({ ...wallet, ...(sessions as { sessionID: string }), ...extent });
  const results = outcome.ok ? outcome.report.results : [];
  expect(results.filter((each) => each.outcome !== 'pass')).toEqual([]);
  expect(results.length).toBeGreaterThan(0);
});
