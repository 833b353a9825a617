import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type HttpLoad, REQUESTS_OF } from '../workload.ts';
import type { LoadResult } from './closedLoop.ts';

// Not compiled: the same distance from bench/load and from dist-bench/load.
const SCRIPT = fileURLToPath(new URL('../../bench/load/wrk.lua', import.meta.url));
const run = promisify(execFile);

/** The first request of the workload, for a whole number of seconds. */
export async function runWrk(
  { url, workload, sessions, connections, seconds }: HttpLoad,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<LoadResult> {
  const [{ path: route, fields }] = REQUESTS_OF[workload];
  const sessionFile = path.join(folder, 'sessions');
  await writeFile(sessionFile, sessions.map((sessionID) => `${sessionID}\n`).join(''));
  const behindSessionID = JSON.stringify({ sessionID: '', ...fields }).slice('{"sessionID":"'.length);
  const passOver = String(Math.floor(Math.random() * sessions.length));
  // One thread makes many times what a server takes on two cores.
  const length = ['--threads', '1', '--connections', String(connections), '--duration', `${Math.round(seconds)}s`];
  const script = ['--timeout', '30s', '--script', SCRIPT, url, '--', sessionFile, passOver, route, behindSessionID];
  const { stdout } = await run('wrk', [...length, ...script], { signal });
  const printed = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Printed;
  const { requests, micros, failed, refused, p50Micros, p99Micros } = printed;
  if (failed + refused > 0)
    throw new Error(`${workload}: ${refused} of ${requests} requests were refused, ${failed} failed`);
  const latency = { p50Ms: p50Micros / 1000, p99Ms: p99Micros / 1000 };
  return { units: requests, perSecond: (requests * 1e6) / micros, latency, endRound: undefined };
}

/** By wrk.lua. */
type Printed = Record<'requests' | 'micros' | 'failed' | 'refused' | 'p50Micros' | 'p99Micros', number>;
