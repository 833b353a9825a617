import { expect, it } from 'vitest';
import type { DialectLaunch, DialectServer } from '../dialect.ts';
import { receive } from './receive.ts';
import { connectionOf, settingsSchema } from './settings.ts';
import { type Form, hashOf, writeForm } from './signature.ts';

const SECRET = 'a test key';
const settings = { secureLogin: 'rh_casino', secret: SECRET, providerId: 'roundhouse' };
const connection = connectionOf(settingsSchema.parse(settings));
const LAUNCH = { secureLogin: 'rh_casino', symbol: 'slot', externalPlayerId: 'ann', token: 't-1', currency: 'EUR' };
const PATH = '/IntegrationService/v3/http/CasinoGameAPI/game/url/';

/** Sends a form with its hash, or a body as it is. Returns what the server was asked for too. */
async function ask(content: Form | string, { path = PATH, method = 'POST' } = {}) {
  const asked: DialectLaunch[] = [];
  const launch = async (launch: DialectLaunch) => {
    asked.push(launch);
    return { ok: true, sessionID: 's', url: 'https://g/' } as const;
  };
  const server = { launch } as Partial<DialectServer> as DialectServer;
  const body = Buffer.from(typeof content === 'string' ? content : writeForm(content, SECRET));
  const response = await receive(connection, { method, path, headers: {}, body }, server);
  return { ...response, json: JSON.parse(response.body), asked };
}

it('a launch with its hash gets to the server', async () => {
  const launched = { gameID: 'slot', playerID: 'ann', token: 't-1', currency: 'EUR', device: 'desktop' };
  const json = { error: '0', description: 'OK', gameURL: 'https://g/' };
  expect(await ask(LAUNCH)).toMatchObject({ status: 200, json, asked: [launched] });
});

it.each<[string, Form | string, { path?: string; method?: string }, string, object]>([
  ['a wrong hash', `${new URLSearchParams({ ...LAUNCH, hash: '0' })}`, {}, '2', { refused: 'signature' }],
  ['a changed parameter', writeForm(LAUNCH, SECRET).replace('ann', 'eve'), {}, '2', { refused: 'signature' }],
  ['no hash', `${new URLSearchParams(LAUNCH)}`, {}, '2', { refused: 'signature' }],
  ['another login', { ...LAUNCH, secureLogin: 'other' }, {}, '2', { refused: 'partner' }],
  ['201 parameters', Array.from({ length: 201 }, (_, at) => `p${at}=`).join('&'), {}, '7', {}],
  ['no currency', { ...LAUNCH, currency: '' }, {}, '7', {}],
  ['no player', { ...LAUNCH, externalPlayerId: '' }, {}, '7', {}],
  ['a long player', { ...LAUNCH, externalPlayerId: 'x'.repeat(129) }, {}, '7', {}],
  ['a parameter twice', `${new URLSearchParams(LAUNCH)}&symbol=slot`, {}, '7', {}],
  ['an unknown currency', { ...LAUNCH, currency: '?' }, {}, '7', {}],
  ['no token', { ...LAUNCH, token: '' }, {}, '7', {}],
  ['another path', LAUNCH, { path: '/CasinoGameAPI/other' }, '7', {}],
  ['another method', LAUNCH, { method: 'GET' }, '7', {}],
])('%s is refused, and launches nothing', async (_what, content, sending, error, expected) => {
  const response = await ask(content, sending);
  expect(response).toMatchObject({ status: 200, json: { error }, asked: [], ...expected });
});

it('the hash may be in capital letters', async () => {
  const hash = hashOf(LAUNCH, SECRET).toUpperCase();
  expect(await ask(String(new URLSearchParams({ ...LAUNCH, hash })))).toMatchObject({ json: { error: '0' } });
});
