import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { GAME_ROUTES } from '@roundhouse/contract';
import fc from 'fast-check';
import { GAME_PATHS } from './accountModel.ts';
import { weighted } from './bodies.ts';
import { BROKEN_FRAMINGS, SMUGGLERS, SOUND_FRAMINGS } from './framings.ts';
import {
  FRONTEND,
  goodPost,
  goodRequests,
  type Header,
  oddBodies,
  oddHeaders,
  oddMethods,
  oddPaths,
  ownersRequests,
  pages,
  post,
  type Request,
  repeatableRequests,
  request,
  unknownSessionRequests,
} from './requests.ts';

/**
 * What may come back. `predicted`: a response to each request, in their order, as the model says.
 * `well-formed`: the same, in the shape of the protocol. `anything`: responses in that shape, and
 * the server may hang up. `nothing`: nobody reads it.
 */
type Expected = 'predicted' | 'well-formed' | 'anything' | 'nothing';

/** What is written on one connection, and how. */
export type Exchange = {
  kind: string;
  requests: readonly Request[];
  expected: Expected;
  /** Where the bytes are cut, as shares of the whole, and the pause before each next piece. */
  cuts: readonly number[];
  pauseMs: number;
  /** Bytes that stand at these shares of the whole in place of what stood there. */
  damage: readonly { at: number; bytes: Uint8Array; remove: number }[];
  /** The share of the bytes that is written at all. */
  written: number;
  /** The client then waits, half-closes, or is gone; it may send all of it once more. */
  ending: 'waits' | 'ends' | 'drops' | 'drops and repeats';
};
type Sample = Pick<Exchange, 'requests'> & Partial<Exchange>;

/** All bytes in one piece; then the client waits. */
export const AT_ONCE = { cuts: [], pauseMs: 0, damage: [], written: 1, ending: 'waits' } as const;

/** Exchanges of this session. */
export function exchangesOf(sessionID: string): fc.Arbitrary<Exchange> {
  const endpoint = fc.constantFrom(...GAME_PATHS);
  /** A good body at any endpoint, sent in some other way. */
  const goodBut = (changes: fc.Arbitrary<Partial<Request>>) =>
    single(fc.tuple(endpoint, changes).map(([path, change]) => goodPost(sessionID, path, change)));
  const kind = (name: string, expected: Expected, samples: fc.Arbitrary<Sample>): fc.Arbitrary<Exchange> =>
    samples.map((sample) => ({ ...AT_ONCE, ...sample, kind: name, expected }));
  const good = goodRequests(sessionID);
  return weighted(
    [60, kind('good request', 'predicted', wellSent(weighted([9, good], [1, ownersRequests])))],
    [40, kind('odd body', 'well-formed', single(oddBodies(sessionID)))],
    [16, kind('request of an unknown session', 'well-formed', single(unknownSessionRequests))],
    [12, kind('page', 'well-formed', single(pages))],
    [1, kind('metrics', 'well-formed', single(fc.constant(request('GET', '/metrics'))))],
    [10, kind('odd path', 'anything', single(oddPaths(sessionID)))],
    [5, kind('odd method', 'anything', goodBut(oddMethods.map((method) => ({ method }))))],
    [14, kind('odd headers', 'anything', goodBut(oddHeaders.map((headers) => ({ headers }))))],
    [6, kind('encoded body', 'well-formed', encoded(goodBut(fc.constant({}))))],
    [
      10,
      kind('broken framing', 'anything', goodBut(fc.constantFrom(...BROKEN_FRAMINGS).map((framing) => ({ framing })))),
    ],
    [4, kind('smuggled request', 'anything', single(smuggled(sessionID)))],
    [12, kind('pipelined', 'predicted', pipelined(good, goodRequests(`${sessionID} of nobody`)))],
    [6, kind('half a request', 'anything', halves(good))],
    [4, kind('lost response', 'predicted', lost(repeatableRequests(sessionID)))],
    [1, kind('unread responses', 'nothing', unread)],
    [8, kind('damaged bytes', 'anything', damaged(post(GAME_ROUTES.balance.path, { sessionID })))],
    [1, kind('noise', 'anything', noise)],
  );
}

const single = (requests: fc.Arbitrary<Request>): fc.Arbitrary<Sample> =>
  requests.map((each) => ({ requests: [each] }));
const share = fc.double({ min: 0, max: 1, noNaN: true });
const soundFraming = fc.constantFrom(...SOUND_FRAMINGS);
const framed = (requests: fc.Arbitrary<Request>, headers = fc.constant<readonly Header[]>([])) =>
  fc
    .tuple(requests, soundFraming, headers)
    .map(([each, framing, more]) =>
      each.method === 'GET' ? each : { ...each, framing, headers: [...each.headers, ...more] },
    );
const pieces = (least: number, most: number, pauseMs: number) =>
  fc.record({
    cuts: fc.array(share, { minLength: least, maxLength: most }),
    pauseMs: fc.nat({ max: pauseMs }),
  });

/** At once or in pieces, with or without the question whether the server wants the body. */
function wellSent(requests: fc.Arbitrary<Request>): fc.Arbitrary<Sample> {
  const headers = weighted<readonly Header[]>(
    [5, fc.constant([])],
    [1, fc.constant([['Expect', '100-continue']])],
    [1, fc.constant([['Connection', 'close']])],
  );
  const ways = weighted<Partial<Exchange>>([4, fc.constant({})], [1, pieces(1, 5, 20)]);
  return fc.tuple(framed(requests, headers), ways).map(([each, way]) => ({ requests: [each], ...way }));
}

const same = (body: Buffer) => body;
const large = (body: Buffer) => gzipSync(Buffer.concat([body, Buffer.alloc(1_000_000, ' ')]));
// biome-ignore format: one list
const CODINGS: readonly [coding: string, encode: (body: Buffer) => Buffer][] = [
  ['gzip', gzipSync], ['br', brotliCompressSync], ['deflate', deflateSync], ['GZIP', gzipSync], ['x-gzip', gzipSync],
  ['gzip, br', (body) => brotliCompressSync(gzipSync(body))], ['gzip', large], ['gzip', same], ['zstd', same], ['identity', same], ['', same],
];

/** The body is compressed, or only claims to be. */
const encoded = (samples: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.tuple(samples, fc.constantFrom(...CODINGS)).map(([{ requests }, [coding, encode]]) => ({
    requests: requests.map((each) => ({ ...each, body: encode(each.body), headers: [['Content-Encoding', coding]] })),
  }));

/** A play, hidden behind a request for the balance. */
function smuggled(sessionID: string): fc.Arbitrary<Request> {
  const text = JSON.stringify({ sessionID, amount: 1_000_000, mode: 'BASE' });
  const head = `POST ${GAME_ROUTES.play.path} HTTP/1.1\r\nHost: rgs\r\nContent-Length: ${text.length}`;
  const hidden = Buffer.from(`${head}\r\n\r\n${text}`);
  return fc
    .constantFrom(...SMUGGLERS)
    .map((smuggler) => post(GAME_ROUTES.balance.path, { sessionID }, { framing: smuggler(hidden) }));
}

/** Several at once, of which one may move money: the server handles them at the same time. */
function pipelined(requests: fc.Arbitrary<Request>, unknownSessions: fc.Arbitrary<Request>): fc.Arbitrary<Sample> {
  const page = fc.constantFrom('/healthz', `${FRONTEND}/game.js`).map((target) => request('GET', target));
  const others = fc.array(fc.oneof(unknownSessions, page), { minLength: 1, maxLength: 3 });
  return fc
    .tuple(requests, others, fc.nat({ max: 3 }), fc.array(share, { maxLength: 3 }))
    .map(([mine, rest, place, cuts]) => ({ requests: rest.toSpliced(place, 0, mine), cuts, pauseMs: 1 }));
}

/** Never whole, so never executed. */
const halves = (requests: fc.Arbitrary<Request>): fc.Arbitrary<Sample> =>
  fc
    .record({
      each: framed(requests),
      written: fc.double({ min: 0, max: 0.99, noNaN: true }),
      ending: fc.constantFrom('ends' as const, 'drops' as const),
      way: pieces(0, 2, 100),
    })
    .map(({ each, way, ...more }) => ({ requests: [each], ...way, ...more }));

/** The client is gone before the response comes, and sends again: the server executes it once. */
const lost = (requests: fc.Arbitrary<Request>): fc.Arbitrary<Sample> =>
  fc
    .tuple(requests, fc.nat({ max: 15 }))
    .map(([each, pauseMs]) => ({ requests: [each], pauseMs, ending: 'drops and repeats' }));

/** Many large responses that nobody reads. */
const unread: fc.Arbitrary<Sample> = fc
  .tuple(
    fc.constantFrom(`${FRONTEND}/game.js`, '/docs/swagger-ui-bundle.js', '/openapi.json'),
    fc.integer({ min: 2, max: 40 }),
    fc.nat({ max: 50 }),
  )
  .map(([target, count, pauseMs]) => ({
    requests: Array<Request>(count).fill(request('GET', target)),
    pauseMs,
    ending: 'drops',
  }));

/** Bytes of a request overwritten, cut out or put in anywhere. */
function damaged(each: Request): fc.Arbitrary<Sample> {
  const separators = fc.constantFrom('\r\n', '\n', '\r\n\r\n', ' ', '\0', ':').map((text) => Buffer.from(text));
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 4 }), separators);
  const damage = fc.array(fc.record({ at: share, bytes, remove: fc.nat(4) }), { minLength: 1, maxLength: 3 });
  return fc
    .tuple(soundFraming, damage)
    .map(([framing, all]) => ({ requests: [{ ...each, framing }], damage: all, ending: 'ends' }));
}

const noise: fc.Arbitrary<Sample> = fc
  .tuple(
    fc.constantFrom('', 'POST ', 'GET / HTTP/1.1\r\n', '\u0016\u0003\u0001'),
    fc.uint8Array({ minLength: 1, maxLength: 2_000 }),
  )
  .map(([before, bytes]) => ({
    requests: [request('GET', '/')],
    damage: [{ at: 0, bytes: Buffer.concat([Buffer.from(before), bytes]), remove: 1_000 }],
    ending: 'ends',
  }));
