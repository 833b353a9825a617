import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DialectLaunch, DialectServer, LaunchResult } from '../dialect.ts';
import { onewallet } from './dialect.ts';

const API_TOKEN = 'an-api-token-of-the-launch';
const URL_OF_GAME = 'https://games.example/slot/1.0.0/?sessionID=acme:1&lang=en';
const settings = onewallet.settings.parse({ casinoKey: 'casino', apiToken: API_TOKEN, authToken: 'x' });
const connection = onewallet.connect({ code: 'acme', settings, secrets: [] });
const PATH = `/ua/v1/casino/${API_TOKEN}`;

const REQUEST = {
  uuid: 'u',
  player: {
    ...{ id: 'ann', update: false, firstName: 'Ann', lastName: 'Lee', country: 'fi', language: 'EN', currency: 'EUR' },
    session: { id: 'sid-1', ip: '192.0.2.1' },
  },
  config: {
    brand: { skin: '1' },
    game: { category: 'slots', interface: 'view1', table: { id: 'slot' } },
    channel: { wrapped: false, mobile: true },
    urls: { lobby: 'https://casino.example/lobby', cashier: 'https://casino.example/cashier' },
  },
};

type Sent = { method?: string; path?: string; body?: unknown; result?: LaunchResult };
const LAUNCHED: LaunchResult = { ok: true, sessionID: 'acme:1', url: URL_OF_GAME, isFair: false };

async function receive({ method = 'POST', path = PATH, body = REQUEST, result = LAUNCHED }: Sent = {}) {
  const launches: DialectLaunch[] = [];
  const launch = async (asked: DialectLaunch) => {
    launches.push(asked);
    return result;
  };
  const server = { launch } as Partial<DialectServer> as DialectServer;
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const response = await connection.receive?.({ method, path, headers: {}, body: bytes }, server);
  if (response === undefined) throw new Error('there is no receive');
  return { ...response, launches };
}

it('a launch has an entry that leads to the game', async () => {
  const { status, body, launches } = await receive();
  expect([status, launches]).toEqual([
    200,
    [
      {
        ...{ playerID: 'ann', token: 'sid-1', gameID: 'slot', currency: 'EUR', country: 'FI', language: 'en' },
        ...{
          device: 'mobile',
          returnURL: 'https://casino.example/lobby',
          cashierURL: 'https://casino.example/cashier',
        },
      },
    ],
  ]);
  const { entry, entryEmbedded } = JSON.parse(body);
  expect(entryEmbedded).toBe(`${entry}&embedded`);
  for (const path of [entry, entryEmbedded, `${entry}&utm=1`])
    expect(await receive({ method: 'GET', path })).toMatchObject({ status: 302, headers: { Location: URL_OF_GAME } });
});

it('an entry leads nowhere that the server has not named', async () => {
  const { entry } = JSON.parse((await receive()).body) as { entry: string };
  const [, mac] = entry.split('.');
  const other = Buffer.from('https://evil.example').toString('base64url');
  for (const path of [
    `/entry?params=${other}.${mac}`,
    `${entry}x`,
    '/entry?params=',
    '/entry?',
    `/entry?params=${mac}`,
  ])
    expect(await receive({ method: 'GET', path })).toMatchObject({ status: 404 });
});

const without = (member: string): unknown => {
  const names = member.split('.');
  const drop = (value: any, [first = '', ...rest]: string[]): object =>
    rest.length === 0 ? { ...value, [first]: undefined } : { ...value, [first]: drop(value[first], rest) };
  return drop(REQUEST, names);
};

it.each([
  ['uuid', 'V.16'],
  ['player', 'V.17'],
  ['player.id', 'V.41'],
  ['player.country', 'V.11'],
  ['player.language', 'V.13'],
  ['player.currency', 'V.12'],
  ['player.session', 'V.10'],
  ['player.session.id', 'V.10'],
  ['config', 'V.18'],
  ['config.channel', 'V.20'],
  ['config.game', 'V.26'],
  ['config.game.table.id', 'V.26'],
])('a launch without %s fails with %s', async (member, code) => {
  const { status, body, launches } = await receive({ body: without(member) });
  expect([status, JSON.parse(body).errors[0].code, launches]).toEqual([400, code, []]);
});

it.each<[string, Sent, number, string, string | undefined]>([
  ['no JSON', { body: '{' }, 400, 'G.0', undefined],
  ['an unknown casino', { path: `/ua/v1/other/${API_TOKEN}` }, 403, 'G.1', 'partner'],
  ['a wrong token', { path: '/ua/v1/casino/another-token' }, 403, 'G.2', 'signature'],
  ['no token', { path: '/ua/v1/casino/' }, 404, 'G.0', undefined],
  ['another path', { path: '/ua/v2/casino/x' }, 404, 'G.0', undefined],
  ['another method', { method: 'GET' }, 404, 'G.0', undefined],
  [
    'a currency that nobody knows',
    { body: { ...REQUEST, player: { ...REQUEST.player, currency: 'XYZ' } } },
    400,
    'V.32',
    undefined,
  ],
  [
    'a page that is no URL',
    { body: { ...REQUEST, config: { ...REQUEST.config, urls: { lobby: 'javascript:1' } } } },
    400,
    'V.29',
    undefined,
  ],
])('%s fails before a launch', async (_, sent, status, code, refused) => {
  const response = await receive(sent);
  expect([response.status, JSON.parse(response.body).errors[0].code, response.refused, response.launches]).toEqual([
    ...[status, code, refused, []],
  ]);
});

it.each([
  ['game', 'V.34'],
  ['currency', 'V.32'],
  ['amounts', 'G.11'],
  ['disabled', 'G.3'],
  ['invalid', 'G.5'],
] as const)('a launch that the server refuses for %s fails with %s', async (reason, code) => {
  const { status, body } = await receive({ result: { ok: false, reason, detail: 'why' } });
  expect([status, JSON.parse(body)]).toEqual([400, { errors: [{ code, message: 'why' }] }]);
});

it('any request has a response, and only one with the token launches', async () => {
  const path = fc.oneof(fc.string(), fc.webPath(), fc.constant(PATH), fc.constant('/ua/v1/casino/x'));
  const body = fc.oneof(fc.json(), fc.string(), fc.constant(JSON.stringify(REQUEST)));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('GET', 'POST', 'PUT'), path, body, async (method, where, what) => {
      const { status, launches } = await receive({ method, path: where, body: what });
      expect([200, 400, 403, 404]).toContain(status);
      expect(launches.length).toBe(status === 200 ? 1 : 0);
    }),
  );
});
