import http from 'node:http';
import {
  FAIRNESS_ROUTES,
  fairnessContract,
  GAME_ROUTES,
  gameContract,
  OPERATOR_HEADER,
  OPERATOR_ROUTES,
  operatorContract,
  signCall,
} from '@roundhouse/contract';
import fc from 'fast-check';
import * as z from 'zod';
import { anyBody, jsonBody, valuesOf, weighted } from './bodies.ts';
import { brokenFraming, type Framing, inFull, smugglingOf } from './framings.ts';

/** Holds name and value, in Latin-1. */
type Header = readonly [name: string, value: string];
/** The operator of the sessions signs, another one, or somebody without a valid secret. */
type Signer = 'owner' | 'other' | 'forger';
export type Secrets = Readonly<Record<Signer, { code: string; secret: string }>>;

const { replay: _, ...ROUTES } = gameContract;
export type Endpoint = { path: string; body: z.ZodType; responses: { 200: z.ZodType } };
/** Maps paths to the endpoints that a game calls. */
export const ENDPOINTS = new Map(
  Object.values({ ...ROUTES, ...fairnessContract }).map((route: Endpoint) => [route.path, route]),
);

export type Request = {
  method: string;
  /**
   * `{betID}` stands for the latest round and `{grantID}` for the latest grant. In a body
   * `{serverSeedHash}` and `{revealedHash}` stand for the server seed in use and the last one
   * before, `{fairBetID}` for the latest round of the account with fair draws.
   */
  target: string;
  headers: readonly Header[];
  body: Buffer;
  framing: Framing;
  signer?: Signer;
};
type Requests = fc.Arbitrary<Request>;

export const request = (method: string, target: string, more: Partial<Request> = {}): Request => {
  return { method, target, headers: [], body: Buffer.alloc(0), framing: inFull, ...more };
};
export const post = (target: string, body: object, more: Partial<Request> = {}): Request =>
  request('POST', target, { body: Buffer.from(JSON.stringify(body)), ...more });

/** Returns the bytes of a request. It signs now: a signature holds for minutes only. */
export function bytesOf({ method, target, headers, body, framing, signer }: Request, secrets: Secrets) {
  const { lines, bytes } = framing(body);
  const signed: Header[] = [];
  if (signer !== undefined) {
    const { code, secret } = secrets[signer];
    const call = { direction: 'to-rgs', method, path: target, body: new Uint8Array(body) } as const;
    const signature = signCall(call, { secret, nowSeconds: Math.floor(Date.now() / 1000) });
    signed.push([OPERATOR_HEADER, code], ...Object.entries(signature));
  }
  const all = ['Host: rgs', ...lines, ...[...headers, ...signed].map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

/** A grant of the same operator, for a player without a session. */
export const FOREIGN_GRANT = 'foreign-grant';

const amount = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(200_000, 1_000_000) },
  // What a double makes of 2.3 and of 4.1 units.
  { weight: 1, arbitrary: fc.constantFrom(2_299_999.9999999995, 4_099_999.9999999995) },
  { weight: 1, arbitrary: fc.constantFrom(1, 199_999, 250_000, 5_000_000, 100_000_000, 100_100_000) },
);
const newKey = fc.uuid().map((value): Header[] => [['Idempotency-Key', value]]);
/** Some keys come again and again. */
const key = fc.oneof(
  newKey,
  fc.constantFrom<Header[]>([['Idempotency-Key', 'first']], [['Idempotency-Key', 'second']]),
);
const plays = (sessionID: string, keys: fc.Arbitrary<Header[]>): Requests =>
  fc
    .record({ amount, mode: fc.constantFrom('BASE', 'BASE', 'ante', 'BONUS', 'Auto', 'AUTO'), headers: keys })
    .map(({ headers, ...bet }) => post(GAME_ROUTES.play.path, { sessionID, ...bet }, { headers }));

/** The latest grant is often of this bet; it may be used up, or of the player's other account. */
const GRANT_BET = {
  amount: fc.constantFrom(1_000_000, 1_000_000, 1_000_000, 200_000),
  mode: fc.constantFrom('BASE', 'BASE', 'AUTO', 'AUTO', 'ANTE'),
};
/** Names the latest grant, one of another player, or none that exists. */
const grantID = weighted([8, fc.constant('{grantID}')], [1, fc.constantFrom(FOREIGN_GRANT, 'unknown')]);
const freePlays = (sessionID: string, keys: fc.Arbitrary<Header[]>): Requests =>
  fc
    .record({ ...GRANT_BET, grantID, headers: keys })
    .map(({ headers, ...bet }) => post(GAME_ROUTES.play.path, { sessionID, ...bet }, { headers }));
const decisions = fc.record({ grantID, decision: fc.constantFrom('accept', 'decline') });

/** Makes requests as a game does; the state of the session decides which of them succeed. */
export function goodRequests(sessionID: string, { isFair = false } = {}): Requests {
  const only = ({ path }: { path: string }, more = {}) => fc.constant(post(path, { sessionID, ...more }));
  return weighted(
    [10, plays(sessionID, fc.option(key, { nil: [] }))],
    [5, freePlays(sessionID, fc.option(key, { nil: [] }))],
    [
      2,
      weighted<object>([3, fc.constant({})], [2, fc.record({ grantID })], [1, decisions]).chain((more) =>
        only(GAME_ROUTES.grants, more),
      ),
    ],
    [12, only(GAME_ROUTES.endRound)],
    [3, only(GAME_ROUTES.balance)],
    [isFair ? 40 : 2, fairnessRequests(sessionID)],
    [3, only(GAME_ROUTES.authenticate)],
    [2, fc.constantFrom({}, { limit: 2 }).chain((page) => only(GAME_ROUTES.history, page))],
    [3, fc.constantFrom('picked:3', '漢字 🎰', "');--").chain((event) => only(GAME_ROUTES.event, { event }))],
  );
}

const clientSeed = fc.constantFrom('lucky', 'a:b', '🍀'.repeat(64), ' ');
const serverSeedHash = fc.constantFrom('{serverSeedHash}', '{serverSeedHash}', '{revealedHash}', 'f'.repeat(64));

/**
 * Makes requests about seeds and proofs. A session of the certified generator is refused all of
 * them.
 */
function fairnessRequests(sessionID: string): Requests {
  const about = ({ path }: { path: string }, more: fc.Arbitrary<object>) =>
    more.map((each) => post(path, { sessionID, ...each }));
  return fc.oneof(
    about(FAIRNESS_ROUTES.seeds, fc.constant({})),
    about(FAIRNESS_ROUTES.clientSeed, fc.record({ clientSeed })),
    about(FAIRNESS_ROUTES.rotate, fc.record({ serverSeedHash, clientSeed })),
    about(
      FAIRNESS_ROUTES.proof,
      fc.record({ betID: weighted<unknown>([8, fc.constant('{fairBetID}')], [1, fc.constantFrom('{betID}', 1)]) }),
    ),
    about(FAIRNESS_ROUTES.export, fc.record({ serverSeedHash })),
  );
}

/** Makes a play with a key or an end-round: both may be sent again. */
export const repeatableRequests = (sessionID: string): Requests =>
  fc.oneof(
    plays(sessionID, newKey),
    freePlays(sessionID, newKey),
    fc.constant(post(GAME_ROUTES.endRound.path, { sessionID })),
  );

const GRANT = `${OPERATOR_ROUTES.giveGrants.path}/{grantID}`;
/** Makes requests of the session's operator: about its latest round, and about grants. */
export function ownersRequests({ playerID, currency }: { playerID: string; currency: string }): Requests {
  const about = (...requests: Request[]) =>
    fc.constantFrom(...requests.map((each) => ({ ...each, signer: 'owner' as const })));
  return weighted(
    [2, about(post('/operator/rounds/{betID}/void', {}), request('GET', '/operator/rounds/{betID}'))],
    [2, about(request('GET', GRANT), request('GET', GRANT), post(`${GRANT}/cancel`, {}))],
    [5, givings({ playerID, currency })],
  );
}

/** Gives a new grant, or the latest one again, with the same content or another. */
const givings = ({ playerID, currency }: { playerID: string; currency: string }): Requests =>
  fc
    .record({
      ...GRANT_BET,
      grantID: weighted([5, fc.uuid()], [1, fc.constant('{grantID}')]),
      rounds: fc.integer({ min: 1, max: 3 }),
      automatic: fc.boolean(),
      paidAtEnd: fc.boolean(),
    })
    .map(({ amount: bet, grantID: id, ...terms }) => {
      const all = { ...terms, gameIDs: ['fixture'], bets: { [currency]: bet }, endsAt: '2200-01-01T00:00:00Z' };
      const grants = [{ grantID: id, playerID, currency }];
      return post(OPERATOR_ROUTES.giveGrants.path, { terms: all, grants }, { signer: 'owner' });
    });

/** Every endpoint takes it, and ignores the members of the others. */
const goodBody = (sessionID: string) => ({ sessionID, amount: 1_000_000, mode: 'BASE', event: 'picked:1', limit: 2 });
const bytes = (bodies: fc.Arbitrary<string | Uint8Array>) => bodies.map((body) => Buffer.from(body as Uint8Array));

/** Ends the session by an operator: its own one, which succeeds, or another. */
export const endOfSession = (sessionID: string, signer: 'owner' | 'other'): Request =>
  post(OPERATOR_ROUTES.endSessions.path, { sessionID, reason: 'logout' }, { signer });

/** Makes game requests with bodies from the contract's schemas, at their limits, and mutated. */
export const oddBodies = (sessionID: string): Requests =>
  fc.oneof(
    ...[...ENDPOINTS.values()].map(({ path, body }) => {
      const mine = valuesOf(body).map((value) => ({ ...(value as object), sessionID }));
      const bodies = fc.oneof(jsonBody(mine), jsonBody(valuesOf(body)), anyBody(goodBody(sessionID)));
      return bytes(bodies).map((sent) => request('POST', path, { body: sent }));
    }),
  );

/** Encodes a text; half a surrogate pair has no encoding. */
const inUrl = (text: string): string => encodeURIComponent(Buffer.from(text).toString());
// biome-ignore format: one list
const PATH_PARTS = [
  '{grantID}', '1', '0', '-1', '9007199254740992', '99999999999999999999', '1e3', '%31', '%', '%00', '%ff', '..', ';', '',
  'fixture', '1.0.0', 'BASE', 'base', '2', '__proto__', 'p'.repeat(12_000),
];
const pathPart = fc.oneof(fc.constantFrom(...PATH_PARTS), fc.string({ unit: 'binary', maxLength: 12 }).map(inUrl));
/** Replaces each parameter of a path with a value. */
const pathsOf = (path: string): fc.Arbitrary<string> =>
  fc
    .tuple(...path.split('/').map((part) => (part.startsWith(':') ? pathPart : fc.constant(part))))
    .map((parts) => parts.join('/'));
function queriesOf(query: z.ZodType): fc.Arbitrary<string> {
  const tail = fc.constantFrom('', '', '', '&limit=1&limit=2', '&state[]=open', '&%');
  const pairsOf = (values: unknown) =>
    Object.entries(values as object).map(([name, each]) => `${name}=${inUrl(String(each))}`);
  return fc.tuple(valuesOf(query).map(pairsOf), tail).map(([pairs, end]) => `?${pairs.join('&')}${end}`);
}

type Route = { method: string; path: string; body?: unknown; query?: unknown };

/** Calls the operator API with values from the contract, as operators without these sessions. */
export const unknownSessionRequests: Requests = fc.oneof(
  ...Object.values(operatorContract as Record<string, Route>).map(({ method, path, body, query }) => {
    const bodies =
      body instanceof z.ZodType ? fc.oneof(jsonBody(valuesOf(body)), anyBody({ token: 't' })) : fc.constant('');
    const more = fc.record({
      body: bytes(bodies),
      signer: fc.constantFrom<Signer>('other', 'other', 'other', 'forger'),
      // It is beside the good one: the server takes the first of equal headers, or joins both.
      headers: fc.constantFrom<Header[]>([], [], [], [['X-Roundhouse-Nonce', 'f'.repeat(16)]]),
    });
    const queries = query instanceof z.ZodType ? queriesOf(query) : fc.constantFrom('', '?', '?a=1&a=2&a[b]=3');
    return fc.tuple(pathsOf(path), queries, more).map(([target, end, each]) => request(method, target + end, each));
  }),
);

export const FRONTEND = '/fixture/1.0.0';
// biome-ignore format: one list
const PAGES = [
  '/healthz', '/readyz', '/metrics', '/docs', '/docs/api', '/openapi.json', '/docs/page.js', '/', '/game/force',
  '/fairness/verifier', '/fairness/verifier/?download[a]=1&download=2',
  ...['/index.html?lang=en', '/game.js', '/', '', '/../../etc/passwd', '/%2e%2e/game.json'].map((end) => FRONTEND + end),
];
// biome-ignore format: one list
const PAGE_HEADERS: Header[] = [
  ['Accept-Encoding', 'gzip, br'], ['Range', 'bytes=-99999999999999999999'], ['Range', 'bytes=0-1,3-4,6-'],
  ['If-None-Match', '*'], ['If-Modified-Since', 'tomorrow'], ['If-Match', '"x"'], ['If-Range', '"x"'],
];
/** Requests what can be read without a session. */
export const pages: Requests = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD'),
    target: weighted([4, fc.constantFrom(...PAGES)], [1, pathsOf(GAME_ROUTES.replay.path)]),
    headers: fc.subarray(PAGE_HEADERS, { maxLength: 2 }),
  })
  .map(({ method, target, headers }) => request(method, target, { headers }));

/** Lists paths that are not quite `#`. */
// biome-ignore format: one list
const ODD_PATHS = [
  '/#', '#/', '/.#', '/x/..#', '/%2e%2e#', '#;sessionID=SESSION', '/operator#/SESSION', '//operator/sessions/SESSION#',
  '#?sessionID=SESSION&a[b]=c&__proto__=1', `#?${'&'.repeat(3_000)}`, '##fragment', '#%', '#%00', '#\u00ff\u0080',
  'http://rgs.example.com#', 'https://user:pass@[::1]:99999#', 'file://#', '# HTTP/1.0\r\nX-A:', '# HTTP/0.9\r\nX-A:',
  // The log may hold the sessionID of none of them.
  ...['session/', 'sessions//', 'sessions/%E0%A4%A', 'rounds/'].map((start) => `/operator/${start}SESSION`),
  ...['/', '/docs/', '/healthz/', '/operator/', `${FRONTEND}/index.html;`].map((start) => `${start}SESSION`),
  `${FRONTEND}/SESSION/index.html`, '/fixture/SESSION/index.html', '/operator/sessions/SESSION/more',
  ...['fixture/1.0.0/BASE/SESSION', 'SESSION/1.0.0/BASE/1', '%E0%A4%A/SESSION/BASE/1'].map((end) => `/bet/replay/${end}`),
  '# HTTP/9.9\r\nX-A:', '\t#', '*', 'rgs.example.com:443', '', `#${'/..'.repeat(2_000)}`, `#${'x'.repeat(20_000)}`,
];
const ODD_METHODS = [...http.METHODS, 'post', 'SPIN', 'P', 'POST POST', '\u0000', 'X'.repeat(9_000)];

// biome-ignore format: one list
const HEADER_NAMES = [
  'Accept', 'Authorization', 'Connection', 'Content-Encoding', 'Content-Type', 'Cookie', 'Expect', 'Forwarded', 'Host',
  'Idempotency-Key', 'If-None-Match', 'Keep-Alive', 'Origin', 'Range', 'TE', 'Trailer', 'Upgrade', 'X-Forwarded-For',
  'X-HTTP-Method-Override', 'X-Request-Id', '__proto__',
];
// biome-ignore format: one list
const HEADER_VALUES = [
  '', '*', 'gzip', 'identity', 'close', 'keep-alive', 'Upgrade', 'h2c', 'websocket', '100-continue', 'a-miracle',
  'trailers', 'text/plain; charset=utf-16', 'multipart/form-data; boundary=x', '127.0.0.1, unknown, ::1', 'DELETE',
];
const BROKEN_HEADERS: Header[] = [
  ['X A', 'a'],
  ['', 'a'],
  ...['a\u0000b', 'a\rb', 'a\r\n b'].map((value): Header => ['X-A', value]),
];
const latin1 = fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code));
const headerValue = fc.oneof(fc.constantFrom(...HEADER_VALUES), fc.string({ unit: latin1, maxLength: 140 }));
/** Makes headers of which some are odd, repeated, many or large. */
const oddHeaders = weighted<Header[]>(
  [6, fc.array(fc.tuple(fc.constantFrom(...HEADER_NAMES), headerValue), { minLength: 1, maxLength: 4 })],
  [1, fc.nat({ max: 3_000 }).map((count) => Array<Header>(count).fill(['a', '']))],
  [1, fc.nat({ max: 40_000 }).map((length): Header[] => [['X-Large', 'x'.repeat(length)]])],
  [1, fc.constantFrom(...BROKEN_HEADERS).map((header) => [header])],
);

/** Makes a good body, at an odd path, by an odd method, with odd headers, or of unclear length. */
export function oddRequests(sessionID: string): Requests {
  const play = JSON.stringify({ sessionID, amount: 1_000_000, mode: 'BASE' });
  const head = `POST ${GAME_ROUTES.play.path} HTTP/1.1\r\nHost: rgs\r\nContent-Length: ${play.length}`;
  const hidden = Buffer.from(`${head}\r\n\r\n${play}`);
  const path = fc.constantFrom(...ENDPOINTS.keys());
  const targets = fc
    .tuple(path, fc.constantFrom(...ODD_PATHS))
    .map(([target, odd]) => odd.replace('#', () => target).replace('SESSION', sessionID));
  const oddity = weighted<Partial<Request>>(
    [10, fc.record({ target: targets, method: fc.constantFrom('POST', 'POST', 'GET', 'DELETE') })],
    [5, fc.record({ method: fc.constantFrom(...ODD_METHODS) })],
    [18, fc.record({ headers: oddHeaders })],
    [10, fc.record({ framing: brokenFraming })],
  );
  return weighted(
    [43, fc.tuple(path, oddity).map(([target, odd]) => post(target, goodBody(sessionID), odd))],
    // A play hides behind a request for the balance.
    [4, smugglingOf(hidden).map((framing) => post(GAME_ROUTES.balance.path, { sessionID }, { framing }))],
  );
}
