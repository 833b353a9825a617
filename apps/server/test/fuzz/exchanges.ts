import { GAME_ROUTES } from '@roundhouse/contract';
import fc from 'fast-check';
import { weighted } from './bodies.ts';
import { soundFraming } from './framings.ts';
import {
  FRONTEND,
  goodRequests,
  oddBodies,
  oddRequests,
  ownersRequests,
  pages,
  post,
  type Request,
  repeatableRequests,
  request,
  unknownSessionRequests,
} from './requests.ts';

/** What is written on one connection, how, and what may come back. */
export type Exchange = {
  kind: string;
  requests: readonly Request[];
  /**
   * `predicted`: a response to each request, in their order, as the model says. `well-formed`: the
   * same, in the shape of the protocol. `anything`: responses in that shape, and the server may
   * hang up.
   */
  expected: 'predicted' | 'well-formed' | 'anything';
  /** Where the bytes are cut, as shares of the whole, and the pause before each next piece. */
  cuts: readonly number[];
  pauseMs: number;
  /** The bytes that are written in place of those of the requests. */
  damage?: (bytes: Buffer) => Buffer;
  /** The client then waits, half-closes, or is gone; it may send all of it once more. */
  ending: 'waits' | 'ends' | 'drops' | 'drops and repeats';
};
type Sample = Pick<Exchange, 'requests'> & Partial<Exchange>;
type Samples = fc.Arbitrary<Sample>;
type Requests = fc.Arbitrary<Request>;

/** All bytes in one piece; then the client waits. */
export const AT_ONCE = { cuts: [], pauseMs: 0, ending: 'waits' } as const;

/** Exchanges of this session. */
export function exchangesOf(sessionID: string): fc.Arbitrary<Exchange> {
  const kind = (name: string, expected: Exchange['expected'], samples: Samples): fc.Arbitrary<Exchange> =>
    samples.map((sample) => ({ ...AT_ONCE, ...sample, kind: name, expected }));
  const single = (requests: Requests): Samples => requests.map((each) => ({ requests: [each] }));
  const good = goodRequests(sessionID);
  return weighted(
    [60, kind('good request', 'predicted', wellSent(weighted([9, good], [1, ownersRequests])))],
    [40, kind('odd body', 'well-formed', single(oddBodies(sessionID)))],
    [16, kind('request of an unknown session', 'well-formed', single(unknownSessionRequests))],
    [12, kind('page', 'well-formed', single(pages))],
    [43, kind('odd request', 'anything', single(oddRequests(sessionID)))],
    [12, kind('pipelined', 'predicted', pipelined(good, goodRequests(`${sessionID} of nobody`)))],
    [6, kind('half a request', 'anything', halves(good))],
    [4, kind('lost response', 'predicted', lost(repeatableRequests(sessionID)))],
    [8, kind('damaged bytes', 'anything', damaged(post(GAME_ROUTES.balance.path, { sessionID })))],
    [1, kind('noise', 'anything', noise)],
  );
}

const share = fc.double({ min: 0, max: 0.99, noNaN: true });
const framed = (requests: Requests): Requests =>
  fc.tuple(requests, soundFraming).map(([each, framing]) => (each.method === 'GET' ? each : { ...each, framing }));
const pieces = (minLength: number, maxLength: number, pauseMs: number) =>
  fc.record({ cuts: fc.array(share, { minLength, maxLength }), pauseMs: fc.nat({ max: pauseMs }) });

/** At once or in pieces, with or without the question whether the server wants the body. */
function wellSent(requests: Requests): Samples {
  const headers = fc.option(fc.constantFrom(['Expect', '100-continue'] as const, ['Connection', 'close'] as const));
  const ways = fc.option(pieces(1, 5, 20), { freq: 4 });
  return fc.tuple(framed(requests), headers, ways).map(([each, header, way]) => ({
    requests: [header && each.method !== 'GET' ? { ...each, headers: [...each.headers, header] } : each],
    ...way,
  }));
}

/** Several at once, of which one may move money: the server handles them at the same time. */
function pipelined(requests: Requests, unknownSessions: Requests): Samples {
  const page = fc.constantFrom('/healthz', `${FRONTEND}/game.js`).map((target) => request('GET', target));
  const others = fc.array(fc.oneof(unknownSessions, page), { minLength: 1, maxLength: 3 });
  return fc
    .tuple(requests, others, fc.nat({ max: 3 }), pieces(0, 3, 1))
    .map(([mine, rest, place, way]) => ({ requests: rest.toSpliced(place, 0, mine), ...way }));
}

/** Never whole, so never executed. */
const halves = (requests: Requests): Samples =>
  fc
    .tuple(framed(requests), share, pieces(0, 2, 100), fc.constantFrom('ends' as const, 'drops' as const))
    .map(([each, written, way, ending]) => ({
      requests: [each],
      damage: (bytes) => bytes.subarray(0, Math.floor(written * bytes.length)),
      ...way,
      ending,
    }));

/** The client is gone before the response comes, and sends again: the server executes it once. */
const lost = (requests: Requests): Samples =>
  fc
    .tuple(requests, fc.nat({ max: 15 }))
    .map(([each, pauseMs]) => ({ requests: [each], pauseMs, ending: 'drops and repeats' }));

/** Bytes of a request overwritten, cut out or put in anywhere. */
function damaged(each: Request): Samples {
  const separators = fc.constantFrom('\r\n', '\n', '\r\n\r\n', ' ', '\0', ':').map((text) => Buffer.from(text));
  const put = fc.oneof(fc.uint8Array({ maxLength: 4 }), separators);
  const damages = fc.array(fc.record({ at: share, put, remove: fc.nat(4) }), { minLength: 1, maxLength: 3 });
  return fc.tuple(framed(fc.constant(each)), damages).map(([sound, all]) => ({
    requests: [sound],
    damage: (bytes) =>
      all.reduce((left, { at, put, remove }) => {
        const from = Math.floor(at * left.length);
        return Buffer.concat([left.subarray(0, from), put, left.subarray(from + remove)]);
      }, bytes),
    ending: 'ends',
  }));
}

const noise: Samples = fc
  .tuple(
    fc.constantFrom('', 'POST ', 'GET / HTTP/1.1\r\n', '\u0016\u0003\u0001'),
    fc.uint8Array({ minLength: 1, maxLength: 2_000 }),
  )
  .map(([before, bytes]) => ({
    requests: [request('GET', '/')],
    damage: () => Buffer.concat([Buffer.from(before), bytes]),
    ending: 'ends',
  }));
