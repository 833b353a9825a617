import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { openRounds } from '../dist/ledger/commands.js';
import { BET_AMOUNT } from './benchGame.ts';
import type { LoadResult } from './load.ts';

const run = promisify(execFile);

/** A new connection compiles and plans the function. */
const WARM_UP_SECONDS = 1;

/** PostgreSQL's own load generator, on the database of the bench. */
export type Pgbench = { databaseUrl: string; folder: string; signal: AbortSignal };

export type PgbenchJob = {
  script: string;
  clients: number;
  seconds: number;
  /** As of LoadJob; a latency counts from when its transaction was due. */
  arrivalsPerSecond?: number | undefined;
};

export async function isPgbenchInstalled(): Promise<boolean> {
  return run('pgbench', ['--version']).then(
    () => true,
    () => false,
  );
}

/** Of mode LOSE. Columns that are not here are off: false, NULL or 0. */
const PLAY: Readonly<Record<string, string>> = {
  _player_id: ':number',
  _session_row_id: ':number',
  _mode: "'LOSE'",
  _cost_multiplier: '1',
  _amount: String(BET_AMOUNT),
  _debit: String(BET_AMOUNT),
  _book_id: '1',
  _auto_close: 'true',
};
const OFF: Readonly<Record<string, string>> = { boolean: 'false', text: 'NULL' };

/**
 * The SQL function of the server for one play at a time. Each client has players of its own,
 * because two clients would wait for each other's player. A round that is not opened divides by
 * zero.
 */
export function playScript(players: number, clients: number): string {
  const share = Math.floor(players / clients);
  const parameters = openRounds.signature.flatMap((each) => {
    const [, name = '', type = ''] = /^(_\w+) (.+)\[\]$/.exec(each) ?? [];
    return name === '' ? [] : `${name} => ARRAY[${PLAY[name] ?? OFF[type] ?? 0}::${type}]`;
  });
  return `\\set number :client_id * ${share} + random(1, ${share})
SELECT 1 / (outcome = 'opened')::int FROM open_rounds(${parameters.join(', ')});
`;
}

/** The shortest durable transaction: one row, on a table of its own. */
export const COMMIT_TABLE = 'CREATE TABLE IF NOT EXISTS bench_commits (at timestamptz)';
export const COMMIT_SCRIPT = 'INSERT INTO bench_commits VALUES (now());\n';

export async function runPgbench(
  { databaseUrl, folder, signal }: Pgbench,
  { script, clients, seconds, arrivalsPerSecond }: PgbenchJob,
): Promise<LoadResult> {
  const own = await mkdtemp(path.join(folder, 'pgbench-'));
  await writeFile(path.join(own, 'script'), script);
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const options = {
    protocol: 'prepared',
    file: path.join(own, 'script'),
    client: clients,
    jobs: Math.min(2, clients),
    time: WARM_UP_SECONDS + Math.ceil(seconds),
    'log-prefix': path.join(own, 'log'),
    ...(arrivalsPerSecond !== undefined && { rate: arrivalsPerSecond }),
    host: hostname,
    port,
    username,
  };
  const given = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const { stdout } = await run('pgbench', ['--no-vacuum', '--log', ...given, pathname.slice(1)], {
    signal,
    env: { ...process.env, PGPASSWORD: password },
  });
  const transactions = await readLog(own);
  await rm(own, { recursive: true });
  const firstSeconds = transactions[0]?.endSeconds ?? 0;
  const measured = transactions.filter(({ endSeconds }) => endSeconds >= firstSeconds + WARM_UP_SECONDS);
  if (measured.length === 0) throw new Error(`pgbench measured nothing: ${stdout}`);
  const lastSeconds = measured.at(-1)?.endSeconds ?? 0;
  const perSecond = measured.length / (lastSeconds - firstSeconds - WARM_UP_SECONDS);
  const micros = measured.map((transaction) => transaction.micros).sort((a, b) => a - b);
  const msAt = (share: number) => (micros[Math.ceil(share * micros.length) - 1] ?? 0) / 1000;
  return { units: transactions.length, perSecond, p50Ms: msAt(0.5), p99Ms: msAt(0.99), maxMs: msAt(1) };
}

/** In the order in which they ended. */
async function readLog(folder: string): Promise<{ micros: number; endSeconds: number }[]> {
  const files = (await readdir(folder)).filter((name) => name.startsWith('log'));
  const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
  return texts
    .flatMap((text) => text.trimEnd().split('\n'))
    .map((line) => {
      const [_client, _transaction, micros = 0, _script, seconds = 0, ofSecond = 0] = line.split(' ').map(Number);
      return { micros, endSeconds: seconds + ofSecond / 1e6 };
    })
    .sort((a, b) => a.endSeconds - b.endSeconds);
}
