import { GAME_ROUTES } from '@roundhouse/contract';
import fc from 'fast-check';
import { weighted } from './bodies.ts';
import { soundFraming } from './framings.ts';
import type { Seat } from './playerModel.ts';
import * as send from './requests.ts';

/** Says what the client writes on one connection, how, and what may come back. */
export type Exchange = {
  kind: string;
  requests: readonly send.Request[];
  /**
   * `predicted`: each send.request gets the response that the model says, in their order.
   * `well-formed`: each gets one in the shape of the protocol. `anything`: responses have that
   * shape, and the server may hang up.
   */
  expected: 'predicted' | 'well-formed' | 'anything';
  /** The bytes are cut at these shares of the whole; the pause precedes each next piece. */
  cuts: readonly number[];
  pauseMs: number;
  /** It replaces the bytes of the requests. */
  damage?: Damage;
  /** The client then waits, half-closes, or is gone; it may send all of it once more. */
  ending: 'waits' | 'ends' | 'drops' | 'drops and repeats';
};
type Damage = (bytes: Buffer) => Buffer;
type Sample = Pick<Exchange, 'requests'> & Partial<Exchange>;
type Samples = fc.Arbitrary<Sample>;
type Requests = fc.Arbitrary<send.Request>;

/** Sends all bytes in one piece; then the client waits. */
export const AT_ONCE = { cuts: [], pauseMs: 0, ending: 'waits' } as const;

/** Makes exchanges of this session, which its operator may end. */
export function exchangesOf({ ends, ...seat }: Seat): fc.Arbitrary<Exchange> {
  const kind = (name: string, expected: Exchange['expected'], samples: Samples): fc.Arbitrary<Exchange> =>
    samples.map((sample) => ({ ...AT_ONCE, ...sample, kind: name, expected }));
  const single = (requests: Requests): Samples => requests.map((each) => ({ requests: [each] }));
  const { sessionID } = seat;
  const good = send.goodRequests(sessionID, { isFair: seat.draws !== undefined });
  const end = fc.constant(send.endOfSession(sessionID, 'owner'));
  const endByOther = fc.constant(send.endOfSession(sessionID, 'other'));
  const balance = fc.constant(send.post(GAME_ROUTES.balance.path, { sessionID }));
  return weighted(
    [60, kind('good request', 'predicted', wellSent(weighted([8, good], [2, send.ownersRequests(seat)])))],
    [40, kind('odd body', 'well-formed', single(send.oddBodies(sessionID)))],
    [16, kind('request of an unknown session', 'well-formed', single(send.unknownSessionRequests))],
    [12, kind('page', 'well-formed', single(send.pages))],
    [43, kind('odd request', 'anything', single(send.oddRequests(sessionID)))],
    [12, kind('pipelined', 'predicted', pipelined(good, send.goodRequests(`${sessionID} of nobody`)))],
    [6, kind('half a request', 'anything', damaged(good, half))],
    [4, kind('lost response', 'predicted', lost(send.repeatableRequests(sessionID)))],
    [8, kind('damaged bytes', 'anything', damaged(balance, changed))],
    [1, kind('end by another operator', 'predicted', wellSent(endByOther))],
    [ends ? 6 : 0, kind('end', 'predicted', wellSent(end))],
    [1, kind('noise', 'anything', damaged(balance, noise))],
  );
}

const share = fc.double({ min: 0, max: 0.99, noNaN: true });
const framed = (requests: Requests): Requests =>
  fc.tuple(requests, soundFraming).map(([each, framing]) => (each.method === 'GET' ? each : { ...each, framing }));
const pieces = (minLength: number, maxLength: number, pauseMs: number) =>
  fc.record({ cuts: fc.array(share, { minLength, maxLength }), pauseMs: fc.nat({ max: pauseMs }) });

/** Sends at once or in pieces, with or without the question whether the server wants the body. */
function wellSent(requests: Requests): Samples {
  const headers = fc.option(fc.constantFrom(['Expect', '100-continue'] as const, ['Connection', 'close'] as const));
  const ways = fc.option(pieces(1, 5, 20), { freq: 4 });
  return fc.tuple(framed(requests), headers, ways).map(([each, header, way]) => ({
    requests: [header && each.method !== 'GET' ? { ...each, headers: [...each.headers, header] } : each],
    ...way,
  }));
}

/** Sends several at once, of which one may move money: the server handles them together. */
function pipelined(requests: Requests, unknownSessions: Requests): Samples {
  const page = fc.constantFrom('/healthz', `${send.FRONTEND}/game.js`).map((target) => send.request('GET', target));
  const others = fc.array(fc.oneof(unknownSessions, page), { minLength: 1, maxLength: 3 });
  return fc
    .tuple(requests, others, fc.nat({ max: 3 }), pieces(0, 3, 1))
    .map(([mine, rest, place, way]) => ({ requests: rest.toSpliced(place, 0, mine), ...way }));
}

/** The client is gone before the response comes, and sends again: the server executes it once. */
const lost = (requests: Requests): Samples =>
  fc
    .tuple(requests, fc.nat({ max: 15 }))
    .map(([each, pauseMs]) => ({ requests: [each], pauseMs, ending: 'drops and repeats' }));

/** Damages the bytes of the request, and then ends. */
const damaged = (requests: Requests, damages: fc.Arbitrary<Damage>): Samples =>
  fc
    .record({
      each: framed(requests),
      damage: damages,
      way: pieces(0, 2, 100),
      ending: fc.constantFrom('ends', 'ends', 'drops'),
    })
    .map(({ each, damage, way, ending }) => ({ requests: [each], damage, ending, ...way }));

/** The request is never whole, so the server never executes it. */
const half: fc.Arbitrary<Damage> = share.map(
  (written) => (bytes) => bytes.subarray(0, Math.floor(written * bytes.length)),
);

const separator = fc.constantFrom('\r\n', '\n', '\r\n\r\n', ' ', '\0', ':').map((text) => Buffer.from(text));
/** Overwrites bytes, cuts them out or puts them in anywhere. */
const changed: fc.Arbitrary<Damage> = fc
  .record({ at: share, put: fc.oneof(fc.uint8Array({ maxLength: 4 }), separator), remove: fc.nat(4) })
  .map(({ at, put, remove }) => (bytes) => {
    const from = Math.floor(at * bytes.length);
    return Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + remove)]);
  });

const noise: fc.Arbitrary<Damage> = fc
  .tuple(fc.constantFrom('', 'POST ', '\u0016\u0003\u0001'), fc.uint8Array({ minLength: 1, maxLength: 2_000 }))
  .map(([before, bytes]) => Buffer.concat([Buffer.from(before), bytes]))
  .map((sent) => () => sent);
