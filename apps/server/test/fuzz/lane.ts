import { setTimeout as pause } from 'node:timers/promises';
import { GAME_ROUTES } from '@roundhouse/contract';
import fc from 'fast-check';
import { createAccountModel } from './accountModel.ts';
import { type Connection, connect, type Target, type WireResponse } from './connection.ts';
import { AT_ONCE, type Exchange, exchangesOf } from './exchanges.ts';
import { issueOf, issueOfMore } from './judge.ts';
import { bytesOf, post, type Request, type Secrets } from './requests.ts';

/** The server may close a connection that has been idle for longer at any moment. */
const IDLE_MS = 2_000;

export type Outcome = {
  kind: string;
  requests: number;
  slowestMs: number;
  /** What was wrong, if anything. */
  issue: string | undefined;
  sent: Buffer;
  received: WireResponse[];
};
export type Lane = ReturnType<typeof createLane>;
type LaneOptions = { target: Target; secrets: Secrets; sessionID: string; balance: number };

/** Performs the exchanges of one session, one after the other, and judges every response. */
export function createLane({ target, secrets, sessionID, balance }: LaneOptions) {
  const model = createAccountModel({ sessionID, balance });
  const exchanges = exchangesOf(sessionID);
  const lookAtBalance: Exchange = {
    ...AT_ONCE,
    kind: 'balance',
    expected: 'predicted',
    requests: [post(GAME_ROUTES.balance.path, { sessionID })],
  };
  let kept: { connection: Connection; sinceMs: number } | undefined;

  /** A good request takes the connection of the one before, as in a browser. */
  async function open(mayBeKept: boolean): Promise<Connection> {
    if (!mayBeKept) return connect(target);
    const old = kept;
    kept = undefined;
    if (old?.connection.isUsable() && performance.now() - old.sinceMs < IDLE_MS) return old.connection;
    old?.connection.drop();
    return connect(target);
  }

  async function perform(exchange: Exchange): Promise<Outcome> {
    const { kind, expected, ending, damage } = exchange;
    const requests = exchange.requests.map((each) => ({
      ...each,
      target: each.target.replace('{betID}', String(model.latestBetID())),
    }));
    const bytes = Buffer.concat(await Promise.all(requests.map((each) => bytesOf(each, secrets))));
    const sent = damagedBytes(exchange, bytes);
    const outcome: Outcome = { kind, requests: requests.length, slowestMs: 0, issue: undefined, sent, received: [] };
    const isGood = expected === 'predicted' && ending === 'waits';
    let connection = await open(isGood);

    async function read(request?: Request): Promise<WireResponse | undefined> {
      const sinceMs = performance.now();
      const isHead = request?.method === 'HEAD';
      const first = await connection.read({ isHead });
      const response = first?.status === 100 ? await connection.read({ isHead }) : first;
      if (response === undefined) return undefined;
      outcome.slowestMs = Math.max(outcome.slowestMs, performance.now() - sinceMs);
      outcome.received.push(response);
      return response;
    }

    /** Reads a response to each request, then all others; returns the first issue. */
    async function judge(): Promise<string | undefined> {
      for (const request of requests) {
        const response = await read(request);
        if (response === undefined) return expected === 'anything' ? undefined : 'no response';
        const judging = { model, isPredicted: expected === 'predicted', isDamaged: damage.length > 0 };
        const issue = issueOf(request, response, judging);
        if (issue !== undefined) return issue;
        // The server cannot know the method of a request that it cannot read: it sends a body and
        // closes the connection.
        if (request.method === 'HEAD' && response.headers.get('connection') === 'close') return undefined;
      }
      if (isGood) return undefined;
      connection.end();
      for (let more = await read(); more !== undefined; more = await read()) {
        const issue = issueOfMore(more);
        if (issue !== undefined) return issue;
      }
      return undefined;
    }

    try {
      if (expected === 'nothing') connection.stopReading();
      await connection.write(sent, exchange);
      if (ending === 'ends') connection.end();
      if (ending.startsWith('drops')) {
        await pause(exchange.pauseMs);
        connection.drop();
      }
      if (ending === 'drops') return outcome;
      if (ending === 'drops and repeats') {
        connection = await connect(target);
        await connection.write(sent, AT_ONCE);
      }
      const issue = await judge();
      const isClosed = outcome.received.at(-1)?.headers.get('connection') === 'close';
      if (isGood && issue === undefined && !isClosed && connection.isUsable())
        kept = { connection, sinceMs: performance.now() };
      return { ...outcome, issue };
    } catch (error) {
      return { ...outcome, issue: (error as Error).message };
    } finally {
      if (kept?.connection !== connection) connection.drop();
    }
  }

  return {
    model,
    /**
     * Performs the exchange of this seed. After one of unknown outcome the balance must be as
     * before.
     */
    async perform(seed: number): Promise<Outcome> {
      const [exchange] = fc.sample(exchanges, { seed, numRuns: 1 }) as [Exchange];
      const outcome = await perform(exchange);
      const isKnown = exchange.expected === 'predicted' || exchange.expected === 'well-formed';
      if (outcome.issue !== undefined || isKnown) return outcome;
      const after = await perform(lookAtBalance);
      return {
        ...outcome,
        requests: outcome.requests + 1,
        slowestMs: Math.max(outcome.slowestMs, after.slowestMs),
        issue: after.issue && `then ${after.issue}`,
        received: [...outcome.received, ...after.received],
      };
    },
    close: () => kept?.connection.drop(),
  };
}

/** The bytes after damage, as far as they are written. */
function damagedBytes({ damage, written }: Exchange, bytes: Buffer): Buffer {
  const damaged = damage.reduce((left, { at, bytes: put, remove }) => {
    const from = Math.floor(at * left.length);
    return Buffer.concat([left.subarray(0, from), put, left.subarray(from + remove)]);
  }, bytes);
  return damaged.subarray(0, Math.floor(written * damaged.length));
}
