import { setTimeout as pause } from 'node:timers/promises';
import { GAME_ROUTES } from '@roundhouse/contract';
import fc from 'fast-check';
import type { Answer } from './answers.ts';
import { type Connection, connect } from './connection.ts';
import { AT_ONCE, type Exchange, exchangesOf } from './exchanges.ts';
import { bytesOf, issueOf, issueOfMore, type Secrets } from './oracle.ts';
import { createPurse } from './purse.ts';
import { post, type Request } from './requests.ts';

/**
 * A connection that has been idle for longer may be hung up right now, which would prove nothing.
 */
const IDLE_MS = 2_000;

export type LaneOptions = {
  port: number;
  secrets: Secrets;
  sessionID: string;
  balance: number;
  answerTimeoutMs: number;
};

export type Outcome = {
  kind: string;
  requests: number;
  statuses: number[];
  slowestMs: number;
  /** What was wrong, if anything. */
  issue?: string;
  sent: Buffer;
  received: Answer[];
};

export type Lane = ReturnType<typeof createLane>;

/** One after the other, the exchanges of one money session, of which every answer is judged. */
export function createLane({ secrets, sessionID, balance, ...server }: LaneOptions) {
  const purse = createPurse({ sessionID, balance });
  const exchanges = exchangesOf(sessionID);
  const lookAtBalance: Exchange = {
    ...AT_ONCE,
    kind: 'balance',
    expected: 'foretold',
    requests: [post(GAME_ROUTES.balance.path, { sessionID })],
  };
  let kept: { connection: Connection; sinceMs: number } | undefined;

  /** A good call takes the connection of the one before, as a browser does. */
  async function open({ mayBeKept }: { mayBeKept: boolean }): Promise<Connection> {
    if (!mayBeKept) return connect(server);
    const old = kept;
    kept = undefined;
    if (old?.connection.isUsable() && performance.now() - old.sinceMs < IDLE_MS) return old.connection;
    old?.connection.drop();
    return connect(server);
  }

  const named = (request: Request): Request => ({
    ...request,
    target: request.target.replace('{betID}', String(purse.latestBetID())),
  });

  async function perform(exchange: Exchange): Promise<Outcome> {
    const { kind, expected, ending } = exchange;
    const requests = exchange.requests.map(named);
    const sent = writtenOf(exchange, Buffer.concat(await Promise.all(requests.map((each) => bytesOf(each, secrets)))));
    const outcome: Outcome = { kind, requests: requests.length, slowestMs: 0, statuses: [], sent, received: [] };
    const mayBeKept = expected === 'foretold' && ending === 'waits';
    let connection = await open({ mayBeKept });
    try {
      connection = await send(connection, { exchange, sent });
      const issue = ending === 'drops' ? undefined : await judge(connection, { exchange, requests, outcome });
      if (issue !== undefined) return { ...outcome, issue };
      const isOver = outcome.received.at(-1)?.headers.get('connection') === 'close';
      if (mayBeKept && !isOver && connection.isUsable()) kept = { connection, sinceMs: performance.now() };
      return outcome;
    } catch (error) {
      return { ...outcome, issue: (error as Error).message };
    } finally {
      if (kept?.connection !== connection) connection.drop();
    }
  }

  /** Answers the connection from which the answers come. */
  async function send(
    first: Connection,
    { exchange, sent }: { exchange: Exchange; sent: Buffer },
  ): Promise<Connection> {
    const { expected, ending, cuts, pauseMs } = exchange;
    if (expected === 'nothing') first.stopReading();
    await first.write(sent, { cuts, pauseMs });
    if (ending === 'ends') first.end();
    if (!ending.startsWith('drops')) return first;
    await pause(pauseMs);
    first.drop();
    if (ending === 'drops') return first;
    const second = await connect(server);
    await second.write(sent, AT_ONCE);
    return second;
  }

  type Judged = { exchange: Exchange; requests: readonly Request[]; outcome: Outcome };

  /** Reads what has to be there, then whatever else comes; answers the first issue. */
  async function judge(connection: Connection, { exchange, requests, outcome }: Judged): Promise<string | undefined> {
    const { expected, ending, damage } = exchange;
    const judging = { purse, isForetold: expected === 'foretold', isDamaged: damage.length > 0 };
    const read = async (request?: Request) => {
      const sinceMs = performance.now();
      const what = { isHead: request?.method === 'HEAD' };
      const first = await connection.read(what);
      const answer = first?.status === 100 ? await connection.read(what) : first;
      if (answer === undefined) return undefined;
      outcome.slowestMs = Math.max(outcome.slowestMs, performance.now() - sinceMs);
      outcome.statuses.push(answer.status);
      outcome.received.push(answer);
      return answer;
    };
    for (const request of requests) {
      const answer = await read(request);
      if (answer === undefined) return expected === 'anything' ? undefined : 'no answer';
      const issue = issueOf(request, { answer, ...judging });
      if (issue !== undefined) return issue;
      // What cannot be read has no method that the server could know: it answers with a body, and
      // hangs up.
      if (request.method === 'HEAD' && answer.headers.get('connection') === 'close') return undefined;
    }
    if (expected === 'foretold' && ending === 'waits') return undefined;
    connection.end();
    for (let more = await read(); more !== undefined; more = await read()) {
      const issue = issueOfMore(more);
      if (issue !== undefined) return issue;
    }
    return undefined;
  }

  return {
    purse,
    /**
     * Performs the exchange of this seed. After one that says nothing for certain, the balance has
     * to be what it was.
     */
    async perform(seed: number): Promise<Outcome> {
      const [exchange] = fc.sample(exchanges, { seed, numRuns: 1 }) as [Exchange];
      const outcome = await perform(exchange);
      const isCertain = exchange.expected === 'foretold' || exchange.expected === 'answered';
      if (outcome.issue !== undefined || isCertain) return outcome;
      const after = await perform(lookAtBalance);
      return {
        ...outcome,
        requests: outcome.requests + 1,
        slowestMs: Math.max(outcome.slowestMs, after.slowestMs),
        statuses: [...outcome.statuses, ...after.statuses],
        ...(after.issue !== undefined && { issue: `then ${after.issue}` }),
        received: [...outcome.received, ...after.received],
      };
    },
    close: () => kept?.connection.drop(),
  };
}

/** The bytes after damage, as far as they are written. */
function writtenOf({ damage, written }: Exchange, bytes: Buffer): Buffer {
  const damaged = damage.reduce((left, { at, bytes: put, remove }) => {
    const from = Math.floor(at * left.length);
    return Buffer.concat([left.subarray(0, from), put, left.subarray(from + remove)]);
  }, bytes);
  return damaged.subarray(0, Math.floor(written * damaged.length));
}
