import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { GAME_ROUTES } from '@roundhouse/contract';
import fc from 'fast-check';
import { BROKEN_FRAMINGS, SMUGGLERS, SOUND_FRAMINGS } from './framings.ts';
import {
  GAME_AT,
  GAME_PATHS,
  gameCalls,
  goodCalls,
  goodPost,
  type Header,
  oddHeaders,
  oddMethods,
  oddPaths,
  operatorCalls,
  ownersCalls,
  pages,
  post,
  type Request,
  repeatablePlay,
  request,
} from './requests.ts';

/**
 * What may come back. `foretold`: an answer to each request, in their order, as the model says.
 * `answered`: the same in the interface's shape. `anything`: answers in that shape, and the server
 * may hang up. `nothing`: nobody reads it.
 */
type Expected = 'foretold' | 'answered' | 'anything' | 'nothing';

/** What is written on one connection, and how. */
export type Exchange = {
  kind: string;
  requests: readonly Request[];
  expected: Expected;
  /** Where the bytes are cut, as shares of the whole, and how long each next piece waits. */
  cuts: readonly number[];
  pauseMs: number;
  /** Bytes that stand at these shares of the whole in place of what stood there. */
  damage: readonly { at: number; bytes: Uint8Array; remove: number }[];
  /** The share of the bytes that is written at all. */
  written: number;
  /**
   * What the client does then: it waits, says that nothing more comes, or is gone; and perhaps
   * sends it all once more.
   */
  ending: 'waits' | 'ends' | 'drops' | 'drops and repeats';
};

type Sample = Pick<Exchange, 'requests'> & Partial<Exchange>;

/** All of the bytes in one piece, and then the answer is waited for. */
export const AT_ONCE = { cuts: [], pauseMs: 0, damage: [], written: 1, ending: 'waits' } as const;

/**
 * All that a client may do on a connection of its own; the money session is that of this lane, and
 * of no other.
 */
export function exchangesOf(sessionID: string): fc.Arbitrary<Exchange> {
  const kinds: [weight: number, kind: string, Expected, fc.Arbitrary<Sample>][] = [
    [60, 'good call', 'foretold', wellSent(mostly(goodCalls(sessionID), ownersCalls))],
    [40, 'odd body', 'answered', alone(gameCalls(sessionID))],
    [16, 'call of an operator', 'answered', alone(operatorCalls)],
    [12, 'page', 'answered', alone(pages)],
    [1, 'metrics', 'answered', alone(fc.constant(request('GET', '/metrics')))],
    [10, 'odd path', 'anything', alone(oddPaths(sessionID))],
    [5, 'odd method', 'anything', alone(oddMethods(sessionID))],
    [
      14,
      'odd headers',
      'anything',
      alone(
        goodPosts(
          sessionID,
          oddHeaders.map((headers) => ({ headers })),
        ),
      ),
    ],
    [6, 'encoded body', 'answered', alone(encoded(sessionID))],
    [10, 'broken framing', 'anything', alone(goodPosts(sessionID, brokenFraming))],
    [4, 'smuggled request', 'anything', alone(smuggled(sessionID))],
    [12, 'pipelined', 'foretold', pipelined(sessionID)],
    [6, 'half a request', 'anything', halves(sessionID)],
    [4, 'lost answer', 'foretold', lost(sessionID)],
    [1, 'unread answers', 'nothing', unread],
    [8, 'damaged bytes', 'anything', damaged(sessionID)],
    [1, 'noise', 'anything', noise],
  ];
  return fc.oneof(
    ...kinds.map(([weight, kind, expected, samples]) => ({
      weight,
      arbitrary: samples.map((sample): Exchange => ({ ...AT_ONCE, ...sample, kind, expected })),
    })),
  );
}

const mostly = <Value>(often: fc.Arbitrary<Value>, rarely: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 9, arbitrary: often }, { weight: 1, arbitrary: rarely });
const alone = (requests: fc.Arbitrary<Request>): fc.Arbitrary<Sample> => requests.map((each) => ({ requests: [each] }));
const share = fc.double({ min: 0, max: 1, noNaN: true });
const soundFraming = fc.constantFrom(...SOUND_FRAMINGS);
const brokenFraming = fc.constantFrom(...BROKEN_FRAMINGS).map((framing) => ({ framing }));

/**
 * At once or slowly, in one piece or in several, with or without asking first whether the body is
 * welcome.
 */
function wellSent(requests: fc.Arbitrary<Request>): fc.Arbitrary<Sample> {
  const slowly = fc.record({
    cuts: fc.array(share, { minLength: 1, maxLength: 5 }),
    pauseMs: fc.integer({ min: 0, max: 20 }),
  });
  const ways = fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: slowly });
  const asks = fc.constantFrom<Header[]>([], [], [], [], [], [['Expect', '100-continue']], [['Connection', 'close']]);
  const framed = fc
    .tuple(requests, soundFraming, asks)
    .map(([each, framing, headers]) =>
      each.method === 'GET' ? each : { ...each, framing, headers: [...each.headers, ...headers] },
    );
  return fc.tuple(framed, ways).map(([each, way]) => ({ requests: [each], ...way }));
}

/** A good body at any endpoint, sent in some other way. */
function goodPosts(sessionID: string, more: fc.Arbitrary<Partial<Request>>): fc.Arbitrary<Request> {
  return fc.tuple(fc.constantFrom(...GAME_PATHS), more).map(([path, each]) => goodPost(sessionID, path, each));
}

const same = (body: Buffer) => body;
const large = (body: Buffer) => gzipSync(Buffer.concat([body, Buffer.alloc(1_000_000, ' ')]));
// biome-ignore format: one list
const CODINGS: readonly [coding: string, encode: (body: Buffer) => Buffer][] = [
  ['gzip', gzipSync], ['br', brotliCompressSync], ['deflate', deflateSync], ['GZIP', gzipSync], ['x-gzip', gzipSync],
  ['gzip, br', (body) => brotliCompressSync(gzipSync(body))], ['gzip', large], ['gzip', same], ['zstd', same], ['identity', same], ['', same],
];

/** A good body that is packed, or is said to be. */
function encoded(sessionID: string): fc.Arbitrary<Request> {
  return fc.tuple(fc.constantFrom(...GAME_PATHS), fc.constantFrom(...CODINGS)).map(([path, [coding, encode]]) => {
    const call = goodPost(sessionID, path, { headers: [['Content-Encoding', coding]] });
    return { ...call, body: encode(call.body) };
  });
}

/** A play, hidden behind a look at the balance. */
function smuggled(sessionID: string): fc.Arbitrary<Request> {
  const text = JSON.stringify({ sessionID, amount: 1_000_000, mode: 'BASE' });
  const hidden = Buffer.from(
    `POST ${GAME_ROUTES.play.path} HTTP/1.1\r\nHost: rgs\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  );
  return fc
    .constantFrom(...SMUGGLERS)
    .map((smuggler) => post(GAME_ROUTES.balance.path, { sessionID }, { framing: smuggler(hidden) }));
}

/** Several at once, of which one may move money: for the server they are at the same time. */
function pipelined(sessionID: string): fc.Arbitrary<Sample> {
  const stranger = goodCalls(`${sessionID} of nobody`);
  const page = fc.constantFrom('/healthz', `${GAME_AT}/game.js`).map((target) => request('GET', target));
  const others = fc.array(fc.oneof(stranger, page), { minLength: 1, maxLength: 3 });
  return fc
    .tuple(goodCalls(sessionID), others, fc.nat({ max: 3 }), fc.array(share, { maxLength: 3 }))
    .map(([mine, rest, place, cuts]) => ({ requests: rest.toSpliced(place, 0, mine), cuts, pauseMs: 1 }));
}

/** Never whole, so never executed. */
function halves(sessionID: string): fc.Arbitrary<Sample> {
  const slow = fc.record({ cuts: fc.array(share, { maxLength: 2 }), pauseMs: fc.integer({ min: 0, max: 100 }) });
  return fc
    .record({
      call: fc
        .tuple(goodCalls(sessionID), soundFraming)
        .map(([each, framing]) => (each.method === 'GET' ? each : { ...each, framing })),
      written: fc.double({ min: 0, max: 0.99, noNaN: true }),
      ending: fc.constantFrom('ends' as const, 'drops' as const),
      slow,
    })
    .map(({ call, slow: way, ...more }) => ({ requests: [call], ...way, ...more }));
}

/** The client is gone before the answer is there, and asks again: what it repeats happens once. */
function lost(sessionID: string): fc.Arbitrary<Sample> {
  const endRound = fc.constant(post(GAME_ROUTES.endRound.path, { sessionID }));
  return fc
    .tuple(fc.oneof(repeatablePlay(sessionID), endRound), fc.integer({ min: 0, max: 15 }))
    .map(([each, pauseMs]) => ({ requests: [each], pauseMs, ending: 'drops and repeats' }));
}

/** Many large answers that nobody reads. */
const unread: fc.Arbitrary<Sample> = fc
  .tuple(
    fc.constantFrom(`${GAME_AT}/game.js`, '/docs/swagger-ui-bundle.js', '/openapi.json'),
    fc.integer({ min: 2, max: 40 }),
    fc.nat({ max: 50 }),
  )
  .map(([target, count, pauseMs]) => ({
    requests: Array.from({ length: count }, () => request('GET', target)),
    pauseMs,
    ending: 'drops',
  }));

/** A look at the balance with bytes overwritten, cut out or put in anywhere. */
function damaged(sessionID: string): fc.Arbitrary<Sample> {
  const damage = fc.record({
    at: share,
    bytes: fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc.constantFrom('\r\n', '\n', '\r\n\r\n', ' ', '\0', ':').map((text) => Buffer.from(text)),
    ),
    remove: fc.nat(4),
  });
  return fc.tuple(soundFraming, fc.array(damage, { minLength: 1, maxLength: 3 })).map(([framing, all]) => ({
    requests: [post(GAME_ROUTES.balance.path, { sessionID }, { framing })],
    damage: all,
    ending: 'ends',
  }));
}

const noise: fc.Arbitrary<Sample> = fc
  .tuple(
    fc.uint8Array({ minLength: 1, maxLength: 2_000 }),
    fc.constantFrom('', 'POST ', 'GET / HTTP/1.1\r\n', '\u0016\u0003\u0001'),
  )
  .map(([bytes, before]) => ({
    requests: [request('GET', '/')],
    damage: [{ at: 0, bytes: Buffer.concat([Buffer.from(before), bytes]), remove: 1_000 }],
    ending: 'ends',
  }));
