import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import type { DialectServer, InboundResponse } from '../dialect.ts';
import { receive } from './receive.ts';
import { connectionOf, settingsSchema } from './settings.ts';

const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const settings = { operatorIDs: [1, 2], privateKey: keys.privateKey, hub88PublicKeys: [keys.publicKey] };
const connection = connectionOf(settingsSchema.parse(settings), 'acme');
const PAGE = { url: 'https://rgs/replay', playerID: '1/ann' };
const server = { roundPage: async () => PAGE } as unknown as DialectServer;

/** Sends a request that Hub88 has signed, or one with this signature. */
function ask(path: string, body: object, signature?: string): Promise<InboundResponse> {
  const bytes = Buffer.from(JSON.stringify(body));
  const signed = signature ?? sign('sha256', bytes, keys.privateKey).toString('base64');
  return receive(connection, { method: 'POST', path, headers: { 'x-hub88-signature': signed }, body: bytes }, server);
}

const ROUND = { operator_id: 1, round: '7', user: 'ann' };

it('a signed request gets to the server', async () => {
  expect(await ask('/game/round', ROUND)).toEqual({ status: 200, body: '{"url":"https://rgs/replay"}' });
});

it.each<[string, string, object, string | undefined, object]>([
  ['a wrong signature', '/game/round', ROUND, 'AAAA', { status: 401, refused: 'signature' }],
  ['an unknown casino', '/game/round', { ...ROUND, operator_id: 3 }, undefined, { status: 404, refused: 'partner' }],
  ['no casino', '/game/round', { ...ROUND, operator_id: undefined }, undefined, { status: 400 }],
  ['a round of another casino', '/game/round', { ...ROUND, operator_id: 2 }, undefined, { status: 404 }],
  ['a wrong field', '/game/round', { ...ROUND, round: 'x' }, undefined, { status: 400 }],
  ['another path', '/other', ROUND, undefined, { status: 404 }],
])('%s is refused', async (_what, path, body, signature, expected) => {
  expect(await ask(path, body, signature)).toMatchObject(expected);
});
