import http from 'node:http';
import { GAME_ROUTES, gameContract, OPERATOR_HEADER, operatorContract, signCall } from '@roundhouse/contract';
import fc from 'fast-check';
import type * as z from 'zod';
import { GAME_PATHS } from './accountModel.ts';
import { anyBody, type Body, headerText, jsonBody, weighted } from './bodies.ts';
import { type Framing, inFull } from './framings.ts';
import { valuesOf } from './schemaValues.ts';

/** Name and value, in Latin-1. */
export type Header = readonly [name: string, value: string];
/** Who signs: the operator of the sessions, another one, or somebody without a valid secret. */
type Signer = 'owner' | 'other' | 'forger';
export type Secrets = Readonly<Record<Signer, { code: string; secret: string }>>;

export type Request = {
  method: string;
  /** `{betID}` stands for the latest round of the session. */
  target: string;
  headers: readonly Header[];
  body: Buffer;
  framing: Framing;
  signer?: Signer;
};

export const request = (method: string, target: string, more: Partial<Request> = {}): Request => ({
  method,
  target,
  headers: [],
  body: Buffer.alloc(0),
  framing: inFull,
  ...more,
});
export const post = (target: string, body: object, more: Partial<Request> = {}): Request =>
  request('POST', target, { body: Buffer.from(JSON.stringify(body)), ...more });
const asBuffer = (bytes: Body): Buffer => Buffer.from(bytes as Uint8Array);

/** The bytes of a request. It is signed now, because a signature holds for minutes only. */
export async function bytesOf(
  { method, target, headers, body, framing, signer }: Request,
  secrets: Secrets,
): Promise<Buffer> {
  const { lines, bytes } = framing(body);
  const all = ['Host: rgs', ...lines, ...headers.map(([name, value]) => `${name}: ${value}`)];
  if (signer !== undefined) {
    const { code, secret } = secrets[signer];
    const signed = await signCall(
      { direction: 'to-rgs', method, path: target, body: new Uint8Array(body) },
      { secret, nowSeconds: Math.floor(Date.now() / 1000) },
    );
    all.push(`${OPERATOR_HEADER}: ${code}`, ...Object.entries(signed).map(([name, value]) => `${name}: ${value}`));
  }
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

export const FRONTEND = '/fixture/1.0.0';

const amount = fc.integer({ min: 2, max: 50 }).map((steps) => steps * 100_000);
const key = fc.uuid().map((value): Header[] => [['Idempotency-Key', value]]);
function plays(sessionID: string, { keys, modes }: { keys: fc.Arbitrary<Header[]>; modes: string[] }) {
  return fc
    .record({ amount, mode: fc.constantFrom(...modes), headers: keys })
    .map(({ headers, ...bet }) => post(GAME_ROUTES.play.path, { sessionID, ...bet }, { headers }));
}

/** Requests as a game makes them; the state of the session decides which of them succeed. */
export function goodRequests(sessionID: string): fc.Arbitrary<Request> {
  const only = ({ path }: { path: string }, more = {}) => fc.constant(post(path, { sessionID, ...more }));
  return weighted(
    [10, plays(sessionID, { keys: fc.option(key, { nil: [] }), modes: ['BASE', 'BASE', 'ante', 'Auto', 'AUTO'] })],
    [9, only(GAME_ROUTES.endRound)],
    [3, only(GAME_ROUTES.balance)],
    [3, only(GAME_ROUTES.authenticate)],
    [3, only(GAME_ROUTES.event, { event: 'picked:3' })],
  );
}

/** A play with a key or an end-round: both may be sent again. */
export const repeatableRequests = (sessionID: string): fc.Arbitrary<Request> =>
  fc.oneof(
    plays(sessionID, { keys: key, modes: ['BASE'] }),
    fc.constant(post(GAME_ROUTES.endRound.path, { sessionID })),
  );

/** Requests of the operator of the session about its latest round. */
export const ownersRequests: fc.Arbitrary<Request> = fc.constantFrom(
  post('/operator/rounds/{betID}/void', {}, { signer: 'owner' }),
  request('GET', '/operator/rounds/{betID}', { signer: 'owner' }),
);

const GOOD_MEMBERS = { amount: 1_000_000, mode: 'BASE', event: 'picked:1' };

/** A body that is good at every endpoint: unknown members are ignored. */
export const goodPost = (sessionID: string, path: string, more: Partial<Request> = {}): Request =>
  post(path, { sessionID, ...GOOD_MEMBERS }, more);

/** Requests of a game with bodies from the contract's schemas, at their limits, and mutated. */
export function oddBodies(sessionID: string): fc.Arbitrary<Request> {
  const { replay: _, ...routes } = gameContract;
  return fc.oneof(
    ...Object.values(routes).map(({ path, body }) => {
      const mine = valuesOf(body).map((value) => ({ ...(value as object), sessionID }));
      const bodies = fc.oneof(jsonBody(mine), jsonBody(valuesOf(body)), anyBody({ sessionID, ...GOOD_MEMBERS }));
      return bodies.map((bytes) => request('POST', path, { body: asBuffer(bytes) }));
    }),
  );
}

/** Half a surrogate pair has no encoding. */
const inUrl = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

// biome-ignore format: one list
const PATH_PARTS = [
  '1', '0', '-1', '9007199254740992', '99999999999999999999', '1e3', '%31', '%', '%00', '%ff', '..', ';', '',
  'fixture', '1.0.0', 'BASE', 'base', '2', '__proto__', 'constructor', '%F0%9F%98%80',
];
const pathPart = weighted(
  [2, fc.constantFrom(...PATH_PARTS)],
  [1, fc.string({ unit: 'binary', maxLength: 12 }).map(inUrl)],
  [1, fc.nat({ max: 12_000 }).map((length) => 'p'.repeat(length))],
);

/** A value in the place of each parameter of a path. */
const pathsOf = (path: string): fc.Arbitrary<string> =>
  fc
    .tuple(...path.split('/').map((part) => (part.startsWith(':') ? pathPart : fc.constant(part))))
    .map((parts) => parts.join('/'));

function queriesOf(query: z.ZodType | undefined): fc.Arbitrary<string> {
  if (query === undefined) return fc.constantFrom('', '', '?', '?a=1&a=2&a[b]=3');
  const tail = fc.constantFrom('', '', '', '&limit=1&limit=2', '&state[]=open', '&%');
  return fc.tuple(valuesOf(query), tail).map(([values, end]) => {
    const pairs = Object.entries(values as object).map(([name, each]) => `${name}=${inUrl(String(each))}`);
    return `?${pairs.join('&')}${end}`;
  });
}

/** Beside the good ones: the server takes the first of two equal headers, or both, joined. */
// biome-ignore format: one list
const BAD_SIGNATURES: Header[] = [
  ['X-Roundhouse-Signature', 'v2=00'], ['X-Roundhouse-Nonce', 'ffffffffffffffff'], ['X-Roundhouse-Timestamp', '0'],
  ['X-Roundhouse-Operator', 'owner'], ['x-roundhouse-operator', '\u00ff'],
];
const badHeaders = weighted<Header[]>([9, fc.constant([])], [1, fc.subarray(BAD_SIGNATURES, { maxLength: 1 })]);

type Route = { method: string; path: string; body?: unknown; query?: unknown };
const isSchema = (value: unknown): value is z.ZodType =>
  typeof value === 'object' && value !== null && 'parse' in value;

/** The operator API with values from the contract, by operators that own none of the sessions. */
export const unknownSessionRequests: fc.Arbitrary<Request> = fc.oneof(
  ...Object.values(operatorContract as Record<string, Route>).map(({ method, path, body, query }) => {
    const bodies = isSchema(body) ? fc.oneof(jsonBody(valuesOf(body)), anyBody({ token: 't' })) : fc.constant('');
    const targets = fc.tuple(pathsOf(path), queriesOf(isSchema(query) ? query : undefined));
    return fc
      .record({
        target: targets.map((parts) => parts.join('')),
        body: bodies.map(asBuffer),
        signer: fc.constantFrom<Signer>('other', 'other', 'other', 'forger'),
        headers: badHeaders,
      })
      .map(({ target, ...more }) => request(method, target, more));
  }),
);

// biome-ignore format: one list
const PAGES = [
  '/healthz', '/healthz', '/readyz', '/docs', '/docs/', '/openapi.json', '/wallet-openapi.json', '/docs/page.js',
  `${FRONTEND}/index.html`, `${FRONTEND}/index.html?lang=en`, `${FRONTEND}/game.js`, `${FRONTEND}/`, FRONTEND,
  `${FRONTEND}/../../etc/passwd`, `${FRONTEND}/%2e%2e/game.json`, `${FRONTEND}/..%2fgame.json`, `${FRONTEND}/.git`,
  '/session/start', '/game/search', '/game/force', '/game/faults', '/favicon.ico', '/metrics/', '/',
];
// biome-ignore format: one list
const PAGE_HEADERS: Header[] = [
  ['Accept-Encoding', 'gzip, br'], ['Range', 'bytes=0-9'], ['Range', 'bytes=9-0'], ['Range', 'bytes=-99999999999999999999'],
  ['Range', 'bytes=0-1,3-4,6-'], ['If-None-Match', '*'], ['If-Modified-Since', 'tomorrow'], ['If-Match', '"x"'], ['If-Range', '"x"'],
];

/** What can be read without a session. */
export const pages: fc.Arbitrary<Request> = fc
  .tuple(
    fc.constantFrom('GET', 'GET', 'GET', 'HEAD'),
    weighted([4, fc.constantFrom(...PAGES)], [1, pathsOf(GAME_ROUTES.replay.path)]),
    fc.subarray(PAGE_HEADERS, { maxLength: 2 }),
  )
  .map(([method, target, headers]) => request(method, target, { headers }));

/** A good play at a path that is not quite its own. */
export function oddPaths(sessionID: string): fc.Arbitrary<Request> {
  // `#` stands for the path.
  // biome-ignore format: one list
  const templates = [
    '/#', '#/', '/.#', '/x/..#', '/%2e%2e#', `#;sessionID=${sessionID}`, `/operator#/${sessionID}`, `//operator/sessions/${sessionID}#`,
    `#?sessionID=${sessionID}&a[b]=c&__proto__=1`, `#?${'&'.repeat(3_000)}`, '##fragment', '#%', '#%00', '#%c0%af', '#\u00ff\u0080',
    'http://rgs.example.com#', 'https://user:pass@[::1]:99999#', 'file://#', '# HTTP/1.0\r\nX-A:', '# HTTP/0.9\r\nX-A:',
    '# HTTP/9.9\r\nX-A:', '\t#', '*', 'rgs.example.com:443', '', `#${'/..'.repeat(2_000)}`, `#${'x'.repeat(20_000)}`,
  ];
  const changes: ((path: string) => string)[] = [
    ...templates.map((text) => (path: string) => text.replace('#', path)),
    (path) => path.toUpperCase(),
    (path) => path.replace('a', '%61'),
    (path) => path.replace(/(.)\//, '$1%2f'),
    (path) => path.replaceAll('/', '\\'),
  ];
  const methods = fc.constantFrom('POST', 'POST', 'GET', 'DELETE');
  return fc
    .tuple(fc.constantFrom(...GAME_PATHS), fc.constantFrom(...changes), methods)
    .map(([path, change, method]) => goodPost(sessionID, path, { method, target: change(path) }));
}

export const oddMethods = fc.constantFrom(
  ...http.METHODS,
  ...['post', 'SPIN', 'P', 'POST POST', '\u0000', 'X'.repeat(9_000)],
);

// biome-ignore format: one list
const HEADER_NAMES = [
  'Accept', 'Accept-Encoding', 'Authorization', 'Connection', 'Content-Type', 'Cookie', 'Expect', 'Forwarded', 'Host', 'HTTP2-Settings',
  'Idempotency-Key', 'If-None-Match', 'Keep-Alive', 'Origin', 'Proxy-Connection', 'Range', 'Referer', 'TE', 'Trailer', 'Upgrade', 'Via',
  'X-Forwarded-For', 'X-Forwarded-Host', 'X-HTTP-Method-Override', 'X-Request-Id', '__proto__', 'constructor',
];
// biome-ignore format: one list
const HEADER_VALUES = [
  '', '*', '0', 'close', 'keep-alive', 'Upgrade', 'h2c', 'websocket', '100-continue', '100-Continue, x', 'a-miracle', 'trailers', 'null',
  'text/plain; charset=utf-16', 'application/json; charset=UTF-8', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x',
  '127.0.0.1, unknown, ::1', 'for="_x"', 'DELETE', 'gzip;q=0, *;q=1e9',
];
// biome-ignore format: one list
const BROKEN_HEADERS: Header[] = [
  ['X-A', 'a\u0000b'], ['X-A', 'a\rb'], ['X A', 'a'], ['', 'a'], ['X-A\u00e9', 'a'], ['X-A', 'a\r\n b'],
];
const oddHeader = fc.tuple(fc.constantFrom(...HEADER_NAMES), fc.oneof(fc.constantFrom(...HEADER_VALUES), headerText));

/** Headers of which some are odd, repeated, many or large. */
export const oddHeaders = weighted<Header[]>(
  [6, fc.array(oddHeader, { minLength: 1, maxLength: 4 })],
  [1, fc.nat({ max: 3_000 }).map((count) => Array<Header>(count).fill(['a', '']))],
  [1, fc.nat({ max: 40_000 }).map((length): Header[] => [['X-Large', 'x'.repeat(length)]])],
  [1, fc.constantFrom(...BROKEN_HEADERS).map((header) => [header])],
);
