import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { OPEN_ROUND_OF } from '../callers/statementCaller.ts';
import type { Crowd } from '../stage/crowd.ts';
import type { LoadResult } from './closedLoop.ts';
import { runTool } from './tool.ts';

const THREADS = 2;
/** Of each client. pgbench counts it into its time, though not into its rate. */
const CONNECTING_SECONDS = 0.01;

/** Each client has players of its own: two that met would wait for each other. A round that is not opened divides by zero. */
const SCRIPT = `\\set number :client_id * :share + random(1, :share)
SELECT 1 / (outcome = 'opened')::int FROM (${OPEN_ROUND_OF(':number')}) opened;
`;

export type PgbenchLoad = { databaseUrl: string; folder: string; crowd: Crowd; clients: number; seconds: number };

/** The server's own function for one play at a time, called by PostgreSQL's own load generator. */
export async function runPgbench(
  pgbench: string,
  { databaseUrl, folder, crowd, clients, seconds }: PgbenchLoad,
  signal: AbortSignal,
): Promise<LoadResult> {
  const script = path.join(folder, 'play.pgbench');
  await writeFile(script, SCRIPT);
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const share = Math.floor(crowd.players.length / clients);
  const printed = await runTool({
    file: pgbench,
    args: ['--no-vacuum', '--protocol', 'prepared', '--file', script, '--define', `share=${share}`].concat(
      [
        '--client',
        String(clients),
        '--jobs',
        String(Math.min(THREADS, clients)),
        '--time',
        String(Math.ceil(seconds + clients * CONNECTING_SECONDS)),
      ],
      ['--host', hostname, '--port', port, '--username', username, pathname.slice(1)],
    ),
    env: { PGPASSWORD: password },
    signal,
  });
  const figure = (pattern: RegExp) => Number(pattern.exec(printed)?.[1] ?? Number.NaN);
  const units = figure(/transactions actually processed: (\d+)/);
  const perSecond = figure(/tps = ([\d.]+) \(without initial connection time\)/);
  if (!(perSecond > 0)) throw new Error(`pgbench printed no rate: ${printed}`);
  return { units, perSecond, latency: undefined, endRound: undefined };
}
