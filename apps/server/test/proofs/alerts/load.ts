import { randomUUID } from 'node:crypto';
import { createHistogram } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** A node that broke a connection gets no request for this long, as behind a proxy. */
const AVOIDED_MS = 500;
/** A player gives a request up after this time; a node responds within 10 s. */
const PATIENCE_MS = 15_000;
/** A player who was refused waits. */
const REFUSED_MS = 100;
/** Timers are no finer. */
const TICK_MS = 2;

export type Load = ReturnType<typeof createLoad>;

/**
 * Players of the game at two nodes. `begin` lets plays arrive at random times at a fixed rate,
 * whatever the nodes do; a play for which no player is free is not sent. Latencies and counts are
 * what the players see.
 */
export function createLoad(options: {
  sessionIDs: readonly string[];
  nodes: readonly string[];
  amount: number;
  /** Returns from 0 to below 1. */
  random: () => number;
}) {
  const { sessionIDs, random } = options;
  const agent = new Agent({ connections: null, bodyTimeout: PATIENCE_MS, headersTimeout: PATIENCE_MS });
  const nodes = options.nodes.map((url) => ({ url, avoidedUntilMs: 0 }));
  const seen = { played: 0, refused: 0, lost: 0, notSent: 0, latencies: createHistogram() };
  const players = sessionIDs.map((sessionID, index) => createPlayer(sessionID, index));

  function createPlayer(sessionID: string, index: number): () => Promise<boolean> {
    /** A round may be open. */
    let isUnsure = true;
    /** The key of a play without a certain response. */
    let key: string | undefined;

    async function send(route: string, fields: object = {}, headers: Record<string, string> = {}) {
      const nowMs = performance.now();
      const home = nodes[index % nodes.length] as (typeof nodes)[number];
      const node = home.avoidedUntilMs <= nowMs ? home : (nodes.find((each) => each.avoidedUntilMs <= nowMs) ?? home);
      try {
        const body = JSON.stringify({ sessionID, ...fields });
        const response = await request(node.url + route, { method: 'POST', body, headers, dispatcher: agent });
        return { status: response.statusCode, body: (await response.body.json()) as any };
      } catch {
        node.avoidedUntilMs = performance.now() + AVOIDED_MS;
        return undefined;
      }
    }

    async function comeToRest(): Promise<boolean> {
      const authenticated = await send('/wallet/authenticate');
      if (authenticated?.status !== 200) return false;
      if (authenticated.body.round.active !== true) return true;
      return (await send('/wallet/end-round'))?.status === 200;
    }

    return async () => {
      if (isUnsure) isUnsure = !(await comeToRest());
      if (isUnsure) return false;
      key ??= randomUUID();
      const sentMs = performance.now();
      const played = await send('/wallet/play', { amount: options.amount, mode: 'BASE' }, { 'Idempotency-Key': key });
      seen.latencies.record(Math.max(1, Math.round((performance.now() - sentMs) * 1_000)));
      if (played === undefined) seen.lost += 1;
      else seen[played.status === 200 ? 'played' : 'refused'] += 1;
      // A player sends an uncertain request again, unchanged.
      if (played === undefined || played.status >= 500) return false;
      key = undefined;
      isUnsure = played.status !== 200;
      if (isUnsure) return false;
      if (played.body.round.active === true) isUnsure = (await send('/wallet/end-round'))?.status !== 200;
      return true;
    };
  }

  let running: Promise<unknown> | undefined;
  let isOver = false;

  async function arrive(perSecond: number): Promise<void> {
    const free = [...players];
    const playing = new Set<Promise<void>>();
    for (let dueMs = performance.now(); !isOver; await pause(TICK_MS)) {
      for (; dueMs <= performance.now(); dueMs += (-Math.log(1 - random()) * 1_000) / perSecond) {
        const play = free.shift();
        if (play === undefined) {
          seen.notSent += 1;
          continue;
        }
        const turn = play().then(() => {
          playing.delete(turn);
          free.push(play);
        });
        playing.add(turn);
      }
    }
    await Promise.all(playing);
  }

  return {
    /** Lets some players play without a pause; returns the plays per second. */
    async bestRate({ seconds, players: count }: { seconds: number; players: number }): Promise<number> {
      const before = seen.played;
      const untilMs = performance.now() + seconds * 1_000;
      await Promise.all(
        players.slice(0, count).map(async (play) => {
          while (performance.now() < untilMs) if (!(await play())) await pause(REFUSED_MS);
        }),
      );
      return (seen.played - before) / seconds;
    },
    begin(perSecond: number): void {
      isOver = false;
      running = arrive(perSecond);
    },
    async end(): Promise<void> {
      isOver = true;
      await running;
      await agent.close();
    },
    /** Returns what the players have seen since the last call. Latencies are in milliseconds. */
    seen() {
      const { latencies, ...counts } = seen;
      const percentileMs = (share: number) => Math.round(latencies.percentile(share) / 1_000);
      const [p50Ms, p99Ms] = [percentileMs(50), percentileMs(99)];
      latencies.reset();
      Object.assign(seen, { played: 0, refused: 0, lost: 0, notSent: 0 });
      return { ...counts, p50Ms, p99Ms };
    },
  };
}
