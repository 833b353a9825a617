import { fileURLToPath } from 'node:url';
import { REQUESTS_OF } from '../workload.ts';
import type { LoadResult } from './closedLoop.ts';
import type { HttpLoad } from './httpLoad.ts';
import { runTool } from './tool.ts';

// Not compiled: the same distance from bench/generators and from dist-bench/generators.
const SCRIPT = fileURLToPath(new URL('../../bench/generators/wrk.lua', import.meta.url));
const TIMEOUT_SECONDS = 30;

type Printed = {
  requests: number;
  micros: number;
  failed: number;
  refused: number;
  p50Micros: number;
  p99Micros: number;
};

/** The first request of the workload, from as many connections, for a whole number of seconds. */
export async function runWrk(
  wrk: string,
  { url, workload, crowd, connections, seconds }: HttpLoad,
  signal: AbortSignal,
): Promise<LoadResult> {
  const [{ path, fields }] = REQUESTS_OF[workload];
  const behindSessionID = JSON.stringify({ sessionID: '', ...fields }).slice('{"sessionID":"'.length);
  const passOver = Math.floor(Math.random() * crowd.players.length);
  const printed = await runTool({
    file: wrk,
    // One thread makes many times what a server takes on two cores, and a second one would only be one more to wait for a core.
    args: ['--threads', '1', '--connections', String(connections), '--duration', `${Math.round(seconds)}s`].concat(
      ['--timeout', `${TIMEOUT_SECONDS}s`, '--script', SCRIPT, url, '--'],
      [crowd.sessionFile, String(passOver), path, behindSessionID],
    ),
    signal,
  });
  const { requests, micros, failed, refused, p50Micros, p99Micros } = lastLine(printed);
  if (failed + refused > 0)
    throw new Error(`${workload}: ${refused} of ${requests} requests were refused, ${failed} failed`);
  const latency = { p50Ms: p50Micros / 1000, p99Ms: p99Micros / 1000 };
  return { units: requests, perSecond: (requests * 1e6) / micros, latency, endRound: undefined };
}

function lastLine(printed: string): Printed {
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '');
}
