import { seededRandom } from '@roundhouse/math';
import type { Lane, Outcome } from './lane.ts';

type FuzzOptions = {
  lanes: readonly Lane[];
  seed: number;
  /** The least number of requests that are sent. */
  requests: number;
  /** This exchange alone, counted from 1. */
  only?: number | undefined;
  log?: (line: string) => void;
};

const LOG_EVERY = 100_000;
const SEEDS = 2 ** 32;
const MOST_BYTES_SHOWN = 4_000;

/** The lanes perform exchanges side by side until enough requests are sent, or one fails. */
export async function fuzz({ lanes, seed, requests, only, log = () => {} }: FuzzOptions) {
  const statuses: Record<number, number> = {};
  const failures: string[] = [];
  const summary = { requests: 0, seconds: 0, slowestMs: 0, statuses, failures };
  const startedMs = performance.now();

  async function perform(lane: Lane, index: number): Promise<void> {
    const outcome = await lane.perform(seededRandom({ stream: seed, round: index }).below(SEEDS) | 0);
    const before = summary.requests;
    summary.requests += outcome.requests;
    summary.slowestMs = Math.max(summary.slowestMs, outcome.slowestMs);
    for (const { status } of outcome.received) statuses[status] = (statuses[status] ?? 0) + 1;
    if (outcome.issue !== undefined) failures.push(textOf(outcome, { seed, index }));
    if (Math.floor(before / LOG_EVERY) < Math.floor(summary.requests / LOG_EVERY))
      log(`${summary.requests} requests …`);
  }

  // The exchanges are dealt to the lanes in turn, so that one seed sends the same bytes on the same
  // sessions.
  const performAll = async (lane: Lane, place: number) => {
    for (let index = place + 1; summary.requests < requests && failures.length === 0; index += lanes.length)
      await perform(lane, index);
  };
  if (only !== undefined) await perform(lanes[(only - 1) % lanes.length] as Lane, only);
  else await Promise.all(lanes.map(performAll));
  summary.seconds = (performance.now() - startedMs) / 1000;
  return summary;
}

function textOf({ kind, issue, sent, received }: Outcome, { seed, index }: { seed: number; index: number }): string {
  const shown = (bytes: Buffer) => JSON.stringify(bytes.toString('latin1', 0, MOST_BYTES_SHOWN));
  return [
    `${kind}: ${issue}`,
    `repeat: npm run fuzz -- --seed ${seed} --only ${index}`,
    `sent ${sent.length} bytes: ${shown(sent)}`,
    ...received.map(({ status, body }) => `received ${status} ${shown(body)}`),
  ].join('\n');
}
