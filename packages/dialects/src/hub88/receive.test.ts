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
  ['no signature', '/game/round', ROUND, '', { status: 401, refused: 'signature' }],
  ['a signature that is none, to another path', '/other', ROUND, 'signed', { status: 401, refused: 'signature' }],
  ['an unknown casino', '/game/round', { ...ROUND, operator_id: 3 }, undefined, { status: 404, refused: 'partner' }],
  ['no casino', '/game/round', { ...ROUND, operator_id: undefined }, undefined, { status: 400 }],
  ['a round of another casino', '/game/round', { ...ROUND, operator_id: 2 }, undefined, { status: 404 }],
  ['a wrong field', '/game/round', { ...ROUND, round: 'x' }, undefined, { status: 400 }],
  ['another path', '/other', ROUND, undefined, { status: 404 }],
])('%s is refused', async (_what, path, body, signature, expected) => {
  expect(await ask(path, body, signature)).toMatchObject(expected);
});

const LAUNCH = {
  ...{ operator_id: 1, user: 'ann', token: 'f562a685-a160-4d17', currency: 'EUR', country: 'EE', game_code: 'slot' },
  ...{ platform: 'GPL_MOBILE', lang: 'de', lobby_url: 'https://casino.example', deposit_url: '', ip: '192.0.2.1' },
};

it.each<[string, object, string]>([
  ['another platform', { platform: 'TV' }, 'platform'],
  ['a user without a token', { token: undefined }, 'token'],
  ['a user that is too long', { user: 'x'.repeat(128) }, 'user'],
  ['a user with a zero byte', { user: 'a\u0000b' }, 'user'],
  ['a user with an end of a line', { user: 'a\nb' }, 'user'],
  ['a country of three letters', { country: 'EST' }, 'country'],
  ['a lobby that is no web page', { lobby_url: 'javascript:alert(1)' }, 'lobby_url'],
  ['an operator_id that is an object', { operator_id: {} }, 'operator_id'],
  ['no operator_id', { operator_id: undefined }, 'operator_id'],
])('a launch with %s is refused', async (_what, change, about) => {
  const { status, body } = await ask('/game/url', { ...LAUNCH, ...change });
  expect({ status, error: JSON.parse(body).error }).toEqual({ status: 400, error: expect.stringContaining(about) });
});
