import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '@roundhouse/math';
import fc from 'fast-check';
import { weighted } from './bodies.ts';
import { connect, type Target, type WireResponse } from './connection.ts';
import { AT_ONCE, type Exchange, exchangesOf } from './exchanges.ts';
import { createOracle, issueOfMore } from './oracle.ts';
import type { Seat } from './playerModel.ts';
import { bytesOf, type Request, type Secrets } from './requests.ts';

const LOG_EVERY = 100_000;
const SEEDS = 2 ** 32;
const MOST_BYTES_SHOWN = 4_000;

const PLACEHOLDERS = ['{betID}', '{fairBetID}', '{grantID}', '{serverSeedHash}', '{revealedHash}'];

export type Lane = ReturnType<typeof createLane>;
type LaneOptions = { target: Target; secrets: Secrets; seats: readonly Seat[]; balance: number };
/** `issue` is what was wrong, if anything. */
type Outcome = { kind: string; sent: Buffer; received: WireResponse[]; slowestMs: number; issue?: string | undefined };

/** Performs the exchanges of one player, one after the other, and judges every response. */
export function createLane({ target, secrets, seats, balance }: LaneOptions) {
  const oracle = createOracle({ seats, balance });
  // The ending session gets few: most requests reach it after its end.
  const exchanges = weighted(
    ...seats.map((seat): [number, fc.Arbitrary<Exchange>] => [seat.ends ? 1 : 4, exchangesOf(seat)]),
  );

  async function perform({ kind, requests, expected, ending, damage, ...way }: Exchange): Promise<Outcome> {
    const { latestBetID, latestGrantID, latestFair } = oracle.player;
    const { current, revealed, betID } = latestFair();
    // In a body the betID is a number.
    const filled = (text: string) =>
      text
        .replace(/"\{betID\}"|\{betID\}/, `${latestBetID()}`)
        .replace('"{fairBetID}"', `${betID}`)
        .replace('{grantID}', latestGrantID())
        .replace('{serverSeedHash}', current)
        .replace('{revealedHash}', revealed);
    const all = requests.map((each) => {
      const body = PLACEHOLDERS.some((name) => each.body.includes(name))
        ? Buffer.from(filled(each.body.toString()))
        : each.body;
      return { ...each, target: filled(each.target), body };
    });
    const bytes = Buffer.concat(all.map((each) => bytesOf(each, secrets)));
    const sent = damage?.(bytes) ?? bytes;
    const outcome: Outcome = { kind, sent, received: [], slowestMs: 0 };
    let connection = await connect(target);

    async function read(request?: Request): Promise<WireResponse | undefined> {
      const sinceMs = performance.now();
      const isHead = request?.method === 'HEAD';
      const first = await connection.read({ isHead });
      const response = first?.status === 100 ? await connection.read({ isHead }) : first;
      outcome.slowestMs = Math.max(outcome.slowestMs, performance.now() - sinceMs);
      if (response !== undefined) outcome.received.push(response);
      return response;
    }

    /** Reads a response to each request, then all others; returns the first issue. */
    async function judge(): Promise<string | undefined> {
      for (const request of all) {
        const response = await read(request);
        if (response === undefined) return expected === 'anything' ? undefined : 'no response';
        const judging = { isPredicted: expected === 'predicted', isDamaged: damage !== undefined };
        const issue = oracle.issueOf(request, response, judging);
        if (issue !== undefined) return issue;
        // The server does not know the method of a request that it cannot read.
        if (request.method === 'HEAD' && response.headers.get('connection') === 'close') return undefined;
      }
      connection.end();
      for (let more = await read(); more !== undefined; more = await read()) {
        const issue = issueOfMore(more);
        if (issue !== undefined) return issue;
      }
      return undefined;
    }

    try {
      await connection.write(sent, way);
      if (ending === 'ends') connection.end();
      if (ending.startsWith('drops')) {
        await pause(way.pauseMs);
        connection.drop();
      }
      if (ending === 'drops') return outcome;
      if (ending === 'drops and repeats') {
        connection = await connect(target);
        await connection.write(sent, AT_ONCE);
      }
      outcome.issue = await judge();
    } catch (error) {
      outcome.issue = (error as Error).message;
    } finally {
      connection.drop();
    }
    return outcome;
  }

  return {
    seats,
    player: oracle.player,
    /** Performs the exchange of this seed. */
    async perform(seed: number) {
      const [exchange] = fc.sample(exchanges, { seed, numRuns: 1 }) as [Exchange];
      return { requests: exchange.requests.length, ...(await perform(exchange)) };
    },
  };
}

/** `requests` is the least number that is sent. `only` is one exchange alone, counted from 1. */
type FuzzOptions = { lanes: readonly Lane[]; seed: number; requests: number; only?: number | undefined };

/** The lanes perform exchanges side by side until enough requests are sent, or one fails. */
export async function fuzz({ lanes, seed, requests, only }: FuzzOptions) {
  const statuses: Record<number, number> = {};
  const failures: string[] = [];
  const summary = { requests: 0, seconds: 0, slowestMs: 0, statuses, failures };
  const startedMs = performance.now();

  async function perform(lane: Lane, index: number): Promise<void> {
    const outcome = await lane.perform(seededRandom({ stream: seed, round: index }).below(SEEDS) | 0);
    summary.requests += outcome.requests;
    summary.slowestMs = Math.max(summary.slowestMs, outcome.slowestMs);
    for (const { status } of outcome.received) statuses[status] = (statuses[status] ?? 0) + 1;
    if (outcome.issue !== undefined) failures.push(`${textOf(outcome)}\nrepeat: --seed ${seed} --only ${index}`);
    if (index % LOG_EVERY === 0) console.log(`${summary.requests} requests …`);
  }

  // The lanes take turns, so that one seed sends the same bytes on the same sessions.
  const performAll = async (lane: Lane, place: number) => {
    for (let index = place + 1; summary.requests < requests && failures.length === 0; index += lanes.length)
      await perform(lane, index);
  };
  if (only !== undefined) await perform(lanes[(only - 1) % lanes.length] as Lane, only);
  else await Promise.all(lanes.map(performAll));
  summary.seconds = (performance.now() - startedMs) / 1000;
  return summary;
}

function textOf({ kind, issue, sent, received }: Outcome): string {
  const shown = (bytes: Buffer) => JSON.stringify(bytes.toString('latin1', 0, MOST_BYTES_SHOWN));
  const responses = received.map(({ status, body }) => `received ${status} ${shown(body)}`);
  return [`${kind}: ${issue}`, `sent ${sent.length} bytes: ${shown(sent)}`, ...responses].join('\n');
}
