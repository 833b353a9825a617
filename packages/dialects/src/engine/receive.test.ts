import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import type { DialectGame, DialectLaunch, DialectServer } from '../dialect.ts';
import { receive } from './receive.ts';
import { connectionOf, settingsSchema } from './settings.ts';

const publicKeyEncoding = { type: 'spki', format: 'pem' } as const;
const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const;
const ours = generateKeyPairSync('ed25519', { publicKeyEncoding, privateKeyEncoding });
const theirs = generateKeyPairSync('ed25519', { publicKeyEncoding, privateKeyEncoding });
const SETTINGS = { operator: 'acme', teamID: 7, publisher: 'Studio', privateKey: ours.privateKey };
const connection = connectionOf(settingsSchema.parse({ ...SETTINGS, operatorPublicKeys: [theirs.publicKey] }));

const URL = 'https://rgs.example/slot';
const GAME = { gameID: 'slot', title: 'The Slot', version: '3', rtp: 0.965 } as DialectGame;

type Sending = { method?: string; operator?: string; key?: string; signature?: string };

/** Sends a request of the operator, and returns the response with what the server was asked for. */
async function ask(
  path: string,
  content: unknown,
  { method = 'POST', operator = 'acme', key, signature }: Sending = {},
) {
  const asked: DialectLaunch[] = [];
  const launch = async (launch: DialectLaunch) => {
    asked.push(launch);
    return { ok: true, sessionID: 's', url: URL, isFair: true } as const;
  };
  const server = { launch, launchDemo: launch, games: async () => [GAME] } as unknown as DialectServer;
  const body = content === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(content));
  const signed = signature ?? sign(null, body, key ?? theirs.privateKey).toString('base64');
  const headers = { 'x-operator': operator, 'x-signature': signed };
  const { body: text, ...response } = await receive(connection, { method, path, headers, body }, server);
  return { ...response, content: JSON.parse(text), asked };
}

const LAUNCH = {
  game: '7_slot',
  user: 'ann',
  token: 'a-token',
  currency: 'EUR',
  language: 'pt-br',
  device: 'tablet',
  tag: 'real',
};

it('a launch gets to the server: a tablet is mobile, and the token is used once', async () => {
  const launched = { gameID: 'slot', playerID: 'ann', token: 'a-token', currency: 'EUR', language: 'pt-br' };
  const { status, content, asked } = await ask('/game/url', LAUNCH);
  expect([status, content]).toEqual([200, { url: URL, fair: true }]);
  expect(asked).toEqual([{ ...launched, device: 'mobile', requestKey: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
});

it('a launch for fun needs its game alone, and may pin the version that runs', async () => {
  const launched = { gameID: 'slot', currency: 'USD', language: 'en', device: 'desktop' };
  for (const more of [{}, { math: 3, front: 3, token: 'unused' }])
    expect(await ask('/game/url/demo', { game: '7_slot', ...more })).toEqual({
      ...{ status: 200, content: { url: URL }, asked: [launched] },
    });
});

it('the list of games signs no bytes, and has no image where the game has none', async () => {
  const { status, content } = await ask('/game/list', undefined, { method: 'GET' });
  const publisher = { id: 7, name: 'Studio' };
  expect([status, content]).toEqual([200, [{ id: '7_slot', name: 'The Slot', rtp: 0.965, publisher }]]);
});

it.each<[string, string, object, Sending, object]>([
  ['another operator', '/game/url', LAUNCH, { operator: 'other' }, { status: 401, refused: 'partner' }],
  ['another key', '/game/url', LAUNCH, { key: ours.privateKey }, { status: 401, refused: 'signature' }],
  ['no signature', '/game/url', LAUNCH, { signature: '' }, { status: 401, refused: 'signature' }],
  ['an unknown path', '/game/other', LAUNCH, {}, { status: 404 }],
  ['another method', '/game/url', LAUNCH, { method: 'PUT' }, { status: 404 }],
  ['a game of another team', '/game/url', { ...LAUNCH, game: '8_slot' }, {}, { status: 404 }],
  ['a game for fun of another team', '/game/url/demo', { game: 'slot' }, {}, { status: 404 }],
  ['an unknown currency', '/game/url', { ...LAUNCH, currency: 'XDOGE' }, {}, { status: 400 }],
  ['an unknown tag', '/game/url', { ...LAUNCH, tag: 'friend' }, {}, { status: 400 }],
  ['an unknown device', '/game/url', { ...LAUNCH, device: 'watch' }, {}, { status: 400 }],
  ['a missing token', '/game/url', { ...LAUNCH, token: undefined }, {}, { status: 400 }],
  [
    'another version',
    '/game/url/demo',
    { game: '7_slot', math: 3, front: 2 },
    {},
    { status: 400, content: { code: 'ERR_BAD', message: 'front: version 3 runs here, and no other' } },
  ],
])('%s is refused, and launches nothing', async (_what, path, body, sending, expected) => {
  const refused = { content: { code: expect.any(String), message: expect.any(String) }, asked: [] };
  expect(await ask(path, body, sending)).toMatchObject({ ...refused, ...expected });
});
