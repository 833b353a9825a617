import { expect, it } from 'vitest';
import type { DialectLaunch, DialectServer } from '../dialect.ts';
import { receive } from './receive.ts';
import { connectionOf, settingsSchema } from './settings.ts';
import { formOf, type Params, signatureOf } from './signature.ts';

const KEY = '0123456789abcdef0123456789abcdef01234567';
const connection = connectionOf(settingsSchema.parse({ merchantID: 'm-123', merchantKey: KEY }));
const LAUNCH = { game_uuid: 'slot', player_id: 'ann', player_name: 'Ann', currency: 'EUR', session_id: 's1' };

type Sending = { fields?: object; merchant?: string; awaySeconds?: number; sign?: string; isNew?: boolean } & {
  timestamp?: string;
  nonce?: string;
};

/** Signs a launch as the operator, and returns the response with what the server was asked for. */
async function ask(
  path: string,
  { fields = LAUNCH, merchant = 'm-123', awaySeconds = 0, sign, isNew = true, ...sent }: Sending = {},
) {
  const asked: DialectLaunch[] = [];
  const launch = async (launch: DialectLaunch) => {
    asked.push(launch);
    return { ok: true, sessionID: 's', url: 'https://g/' } as const;
  };
  const server = { launch, takeNonce: async () => isNew } as unknown as DialectServer;
  const params: Params = Object.entries(fields);
  const timestamp = String(Math.floor(Date.now() / 1000) + awaySeconds);
  const signed = { merchant, timestamp, nonce: 'n', ...sent };
  const headers = {
    ...{ 'x-merchant-id': merchant, 'x-timestamp': signed.timestamp, 'x-nonce': signed.nonce },
    'x-sign': sign ?? signatureOf(params, signed, KEY),
  };
  const request = { method: 'POST', path, headers, body: Buffer.from(formOf(params)) };
  return { ...(await receive(connection, request, server)), asked };
}

it('a signed launch gets to the server', async () => {
  const launched = { gameID: 'slot', playerID: 'ann', token: 's1', currency: 'EUR', device: 'desktop' };
  expect(await ask('/games/init')).toMatchObject({ status: 200, body: '{"url":"https://g/"}', asked: [launched] });
});

it.each<[string, string, Sending, object]>([
  ['a wrong signature', '/games/init', { sign: '0'.repeat(40) }, { status: 401, refused: 'signature' }],
  ['another merchant', '/games/init', { merchant: 'another' }, { status: 401, refused: 'partner' }],
  ['an old time stamp', '/games/init', { awaySeconds: -32 }, { status: 401, refused: 'signature' }],
  ['a time stamp to come', '/games/init', { awaySeconds: 33 }, { status: 401, refused: 'signature' }],
  ['no time stamp', '/games/init', { timestamp: '' }, { status: 401 }],
  ['a time stamp that is no number', '/games/init', { timestamp: '1e9' }, { status: 401 }],
  ['no nonce', '/games/init', { nonce: '' }, { status: 401 }],
  ['a nonce that is too long', '/games/init', { nonce: 'x'.repeat(129) }, { status: 401 }],
  ['a wrong signature to another path', '/other', { sign: '0'.repeat(40) }, { status: 401 }],
  ['a used nonce', '/games/init', { isNew: false }, { status: 401, refused: 'signature' }],
  ['an unknown currency', '/games/init', { fields: { ...LAUNCH, currency: 'XDOGE' } }, { status: 422 }],
  ['a currency in lower case', '/games/init', { fields: { ...LAUNCH, currency: 'eur' } }, { status: 422 }],
  ['no game', '/games/init', { fields: { ...LAUNCH, game_uuid: '' } }, { status: 422 }],
  ['no session', '/games/init', { fields: { ...LAUNCH, session_id: '' } }, { status: 422 }],
  ['no player', '/games/init', { fields: { ...LAUNCH, player_id: '' } }, { status: 422 }],
  ['a player that is too long', '/games/init', { fields: { ...LAUNCH, player_id: 'x'.repeat(129) } }, { status: 422 }],
  ['a player with a zero byte', '/games/init', { fields: { ...LAUNCH, player_id: 'a\u0000b' } }, { status: 422 }],
  ['no name of the player', '/games/init', { fields: { ...LAUNCH, player_name: '' } }, { status: 422 }],
  ['another device', '/games/init', { fields: { ...LAUNCH, device: 'watch' } }, { status: 422 }],
  ['no web page', '/games/init', { fields: { ...LAUNCH, return_url: 'javascript:alert(1)' } }, { status: 422 }],
  ['another path', '/games/other', {}, { status: 404 }],
])('%s is refused, and launches nothing', async (_what, path, sending, expected) => {
  expect(await ask(path, sending)).toMatchObject({ ...expected, asked: [] });
});
