import http from 'node:http';
import { GAME_ROUTES, gameContract, operatorContract } from '@roundhouse/contract';
import fc from 'fast-check';
import type * as z from 'zod';
import { anyBody, type Body, jsonBody } from './bodies.ts';
import { type Framing, inFull } from './framings.ts';
import { valuesOf } from './schemaValues.ts';

/** Name and value, in Latin-1. */
export type Header = readonly [name: string, value: string];

/** Who signs: the operator of the money sessions, another one, or somebody who has no secret. */
export type Signer = 'owner' | 'other' | 'forger';

/** One request, as a client would think of it. */
export type Request = {
  method: string;
  /** `{betID}` stands for the latest round of the money session. */
  target: string;
  headers: readonly Header[];
  body: Buffer;
  framing: Framing;
  signer?: Signer;
};

type Route = { method: string; path: string; body?: unknown; query?: unknown };

export const request = (method: string, target: string, more: Partial<Request> = {}): Request => ({
  method,
  target,
  headers: [],
  body: Buffer.alloc(0),
  framing: inFull,
  ...more,
});

export const post = (target: string, body: object | Buffer, more: Partial<Request> = {}): Request =>
  request('POST', target, { body: Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)), ...more });

const { replay: _replay, ...BODY_ROUTES } = GAME_ROUTES;
export const GAME_PATHS = Object.values(BODY_ROUTES).map(({ path }) => path);
export const GAME_AT = '/fixture/1.0.0';

/**
 * Calls that are whole, as a good game makes them; which of them succeed follows from the session's
 * state.
 */
export function goodCalls(sessionID: string): fc.Arbitrary<Request> {
  const bet = fc.record({
    amount: fc.integer({ min: 2, max: 50 }).map((steps) => steps * 100_000),
    mode: fc.constantFrom('BASE', 'BASE', 'ante', 'Auto', 'AUTO'),
  });
  const key = fc.option(
    fc.uuid().map((value): Header[] => [['Idempotency-Key', value]]),
    { nil: [] },
  );
  const play = fc
    .tuple(bet, key)
    .map(([more, headers]) => post(GAME_ROUTES.play.path, { sessionID, ...more }, { headers }));
  const only = ({ path }: { path: string }, more = {}) => fc.constant(post(path, { sessionID, ...more }));
  return fc.oneof(
    { weight: 10, arbitrary: play },
    { weight: 9, arbitrary: only(GAME_ROUTES.endRound) },
    { weight: 3, arbitrary: only(GAME_ROUTES.balance) },
    { weight: 3, arbitrary: only(GAME_ROUTES.authenticate) },
    { weight: 3, arbitrary: only(GAME_ROUTES.event, { event: 'picked:3' }) },
  );
}

/** What the operator of the money session asks about its latest round. */
export const ownersCalls: fc.Arbitrary<Request> = fc.constantFrom(
  post('/operator/rounds/{betID}/void', {}, { signer: 'owner' }),
  request('GET', '/operator/rounds/{betID}', { signer: 'owner' }),
);

/** A play under a key, which may be sent again. */
export function repeatablePlay(sessionID: string): fc.Arbitrary<Request> {
  return fc.tuple(fc.uuid(), fc.integer({ min: 2, max: 50 })).map(([key, steps]) => {
    const headers: Header[] = [['Idempotency-Key', key]];
    return post(GAME_ROUTES.play.path, { sessionID, amount: steps * 100_000, mode: 'BASE' }, { headers });
  });
}

/** Calls of the game with bodies from the contract's schemas, at their limits, and mutated. */
export function gameCalls(sessionID: string): fc.Arbitrary<Request> {
  const { replay: _, ...routes } = gameContract;
  return fc.oneof(
    ...Object.values(routes).map(({ path, body }) => {
      const good = { sessionID, amount: 1_000_000, mode: 'BASE', event: 'picked:1' };
      const mine = valuesOf(body).map((value) => ({ ...(value as object), sessionID }));
      const bodies = fc.oneof(jsonBody(mine), jsonBody(valuesOf(body)), anyBody(good));
      return bodies.map((bytes) => post(path, asBuffer(bytes)));
    }),
  );
}

const isSchema = (value: unknown): value is z.ZodType =>
  typeof value === 'object' && value !== null && 'parse' in value;
/** Half a surrogate pair has no encoding. */
const inUrl = (text: string): string => encodeURIComponent(Buffer.from(text).toString());
const asBuffer = (bytes: Body): Buffer => Buffer.from(bytes as Uint8Array);

/** Something in the place of each parameter of a path. */
function pathOf(path: string): fc.Arbitrary<string> {
  const parts = path.split('/').map((part) => (part.startsWith(':') ? pathPart : fc.constant(part)));
  return fc.tuple(...parts).map((each) => each.join('/'));
}

// biome-ignore format: one list
const PATH_PARTS = [
  '1', '0', '-1', '9007199254740992', '99999999999999999999', '1e3', '%31', '%', '%00', '%ff', '..', ';', '',
  'fixture', '1.0.0', 'BASE', 'base', '2', '__proto__', 'constructor', '%F0%9F%98%80',
];
const pathPart = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...PATH_PARTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }).map((text) => inUrl(text)) },
  { weight: 1, arbitrary: fc.nat({ max: 12_000 }).map((length) => 'p'.repeat(length)) },
);

function queryOf({ query }: Route): fc.Arbitrary<string> {
  if (!isSchema(query)) return fc.constantFrom('', '', '?', '?a=1&a=2&a[b]=3');
  const values = valuesOf(query).map((value) =>
    Object.entries(value as object).map(([name, each]) => `${name}=${inUrl(String(each))}`),
  );
  return fc
    .tuple(values, fc.constantFrom('', '', '', '&limit=1&limit=2', '&state[]=open', '&%'))
    .map(([pairs, tail]) => `?${pairs.join('&')}${tail}`);
}

/** Beside the good ones of the signer: the first of two headers counts, or both, joined. */
// biome-ignore format: one list
const BAD_SIGNATURES: Header[] = [
  ['X-Roundhouse-Signature', 'v2=00'], ['X-Roundhouse-Nonce', 'ffffffffffffffff'], ['X-Roundhouse-Timestamp', '0'],
  ['X-Roundhouse-Operator', 'owner'], ['x-roundhouse-operator', '\u00ff'],
];

/**
 * Calls of the operator API with values from the contract, by an operator who has none of the money
 * sessions.
 */
export const operatorCalls: fc.Arbitrary<Request> = fc.oneof(
  ...Object.values(operatorContract as Record<string, Route>).map((route) => {
    const body = isSchema(route.body)
      ? fc.oneof(jsonBody(valuesOf(route.body)), anyBody({ token: 't' }))
      : fc.constant('');
    const signer = fc.constantFrom<Signer>('other', 'other', 'other', 'forger');
    const headers = fc.subarray(BAD_SIGNATURES, { maxLength: 1 });
    return fc
      .tuple(pathOf(route.path), queryOf(route), body, signer, fc.integer({ min: 0, max: 9 }), headers)
      .map(([path, query, bytes, by, dice, bad]) =>
        request(route.method, path + query, { body: asBuffer(bytes), signer: by, headers: dice === 0 ? bad : [] }),
      );
  }),
);

// biome-ignore format: one list
const PAGES = [
  '/healthz', '/healthz', '/readyz', '/docs', '/docs/', '/openapi.json', '/wallet-openapi.json', '/docs/page.js',
  `${GAME_AT}/index.html`, `${GAME_AT}/index.html?lang=en`, `${GAME_AT}/game.js`, `${GAME_AT}/`, GAME_AT,
  `${GAME_AT}/../../etc/passwd`, `${GAME_AT}/%2e%2e/game.json`, `${GAME_AT}/..%2fgame.json`, `${GAME_AT}/.git`,
  '/session/start', '/game/search', '/game/force', '/game/faults', '/favicon.ico', '/metrics/', '/',
];
// biome-ignore format: one list
const PAGE_HEADERS: Header[] = [
  ['Accept-Encoding', 'gzip, br'], ['Range', 'bytes=0-9'], ['Range', 'bytes=9-0'], ['Range', 'bytes=-99999999999999999999'],
  ['Range', 'bytes=0-1,3-4,6-'], ['If-None-Match', '*'], ['If-Modified-Since', 'tomorrow'], ['If-Match', '"x"'], ['If-Range', '"x"'],
];

/** What is there to be read without a session. */
export const pages: fc.Arbitrary<Request> = fc
  .tuple(
    fc.constantFrom('GET', 'GET', 'GET', 'HEAD'),
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...PAGES) },
      { weight: 1, arbitrary: pathOf(GAME_ROUTES.replay.path) },
    ),
    fc.subarray(PAGE_HEADERS, { maxLength: 2 }),
  )
  .map(([method, target, headers]) => request(method, target, { headers }));

/** A good play at an address that is not quite its own. */
export function oddPaths(sessionID: string): fc.Arbitrary<Request> {
  // `#` stands for the path.
  // biome-ignore format: one list
  const turned = [
    '/#', '#/', '/.#', '/x/..#', '/%2e%2e#', `#;sessionID=${sessionID}`, `/operator#/${sessionID}`, `//operator/sessions/${sessionID}#`,
    `#?sessionID=${sessionID}&a[b]=c&__proto__=1`, `#?${'&'.repeat(3_000)}`, '##fragment', '#%', '#%00', '#%c0%af', '#\u00ff\u0080',
    'http://rgs.example.com#', 'https://user:pass@[::1]:99999#', 'file://#', '# HTTP/1.0\r\nX-A:', '# HTTP/0.9\r\nX-A:',
    '# HTTP/9.9\r\nX-A:', '\t#', '*', 'rgs.example.com:443', '', `#${'/..'.repeat(2_000)}`, `#${'x'.repeat(20_000)}`,
  ];
  const turns: ((path: string) => string)[] = [
    ...turned.map((text) => (path: string) => text.replace('#', path)),
    (path) => path.toUpperCase(),
    (path) => path.replace('a', '%61'),
    (path) => path.replace(/(.)\//, '$1%2f'),
    (path) => path.replaceAll('/', '\\'),
  ];
  return fc
    .tuple(fc.constantFrom(...GAME_PATHS), fc.constantFrom(...turns), fc.constantFrom('POST', 'POST', 'GET', 'DELETE'))
    .map(([path, turn, method]) => ({ ...goodPost(sessionID, path), method, target: turn(path) }));
}

/** A good body, by a method that is not the right one. */
export function oddMethods(sessionID: string): fc.Arbitrary<Request> {
  const methods = fc.oneof(
    fc.constantFrom(...http.METHODS),
    fc.constantFrom('post', 'SPIN', 'P', 'POST POST', '\u0000', 'X'.repeat(9_000)),
  );
  return fc
    .tuple(methods, fc.constantFrom(...GAME_PATHS))
    .map(([method, path]) => ({ ...goodPost(sessionID, path), method }));
}

/** For each endpoint a body that it takes; fields that it does not know are ignored. */
export function goodPost(sessionID: string, path: string, more: Partial<Request> = {}): Request {
  return post(path, { sessionID, amount: 1_000_000, mode: 'BASE', event: 'picked:1' }, more);
}

const byte = fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code));
const anyValue = fc.string({ unit: byte, maxLength: 140 });
// biome-ignore format: one list
const KNOWN_HEADERS = [
  'Accept', 'Accept-Encoding', 'Authorization', 'Connection', 'Content-Type', 'Cookie', 'Expect', 'Forwarded', 'Host', 'HTTP2-Settings',
  'Idempotency-Key', 'If-None-Match', 'Keep-Alive', 'Origin', 'Proxy-Connection', 'Range', 'Referer', 'TE', 'Trailer', 'Upgrade', 'Via',
  'X-Forwarded-For', 'X-Forwarded-Host', 'X-HTTP-Method-Override', 'X-Request-Id', '__proto__', 'constructor',
];
// biome-ignore format: one list
const KNOWN_VALUES = [
  '', '*', '0', 'close', 'keep-alive', 'Upgrade', 'h2c', 'websocket', '100-continue', '100-Continue, x', 'a-miracle', 'trailers', 'null',
  'text/plain; charset=utf-16', 'application/json; charset=UTF-8', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x',
  '127.0.0.1, unknown, ::1', 'for="_x"', 'DELETE', 'gzip;q=0, *;q=1e9',
];

// biome-ignore format: one list
const BROKEN_HEADERS: Header[] = [
  ['X-A', 'a\u0000b'], ['X-A', 'a\rb'], ['X A', 'a'], ['', 'a'], ['X-A\u00e9', 'a'], ['X-A', 'a\r\n b'],
];

/** Headers of which some are odd, repeated, many or large. */
export const oddHeaders: fc.Arbitrary<Header[]> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(
      fc.tuple(fc.constantFrom(...KNOWN_HEADERS), fc.oneof(fc.constantFrom(...KNOWN_VALUES), anyValue)),
      { minLength: 1, maxLength: 4 },
    ),
  },
  { weight: 1, arbitrary: fc.nat({ max: 3_000 }).map((count) => Array<Header>(count).fill(['a', ''])) },
  { weight: 1, arbitrary: fc.nat({ max: 40_000 }).map((length): Header[] => [['X-Large', 'x'.repeat(length)]]) },
  { weight: 1, arbitrary: fc.constantFrom(...BROKEN_HEADERS).map((header) => [header]) },
);
