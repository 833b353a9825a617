import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { LoadResult } from './load.ts';

const run = promisify(execFile);

/** This share of pgbench's work is not measured: new connections compile and plan. */
const WARM_UP = 1 / 3;

/** Holds options of PostgreSQL's own load generator. `folder` is for its files. */
export type Pgbench = { databaseUrl: string; folder: string; signal: AbortSignal };

export type PgbenchJob = {
  /** The load runs a script of pgbench, or a built-in one by its name. */
  script: { text: string } | { builtin: string };
  clients: number;
  seconds: number;
  /**
   * The fields are those of LoadJob, except that a latency counts from when its transaction was
   * due.
   */
  arrivalsPerSecond?: number | undefined;
};

export async function isPgbenchInstalled(): Promise<boolean> {
  return run('pgbench', ['--version']).then(
    () => true,
    () => false,
  );
}

/** Makes the tables of pgbench's own scripts, with 100,000 accounts. */
export async function initializePgbench(pgbench: Pgbench): Promise<void> {
  await runCommand(pgbench, ['--initialize', '--quiet']);
}

export async function runPgbench(
  pgbench: Pgbench,
  { script, clients, seconds, arrivalsPerSecond }: PgbenchJob,
): Promise<LoadResult> {
  const own = await mkdtemp(path.join(pgbench.folder, 'pgbench-'));
  const file = path.join(own, 'script');
  if ('text' in script) await writeFile(file, script.text);
  const options = {
    ...('text' in script ? { file } : script),
    protocol: 'prepared',
    client: clients,
    jobs: Math.min(2, clients),
    time: Math.ceil(seconds / (1 - WARM_UP)),
    'log-prefix': path.join(own, 'log'),
    ...(arrivalsPerSecond !== undefined && { rate: arrivalsPerSecond }),
  };
  const given = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const output = await runCommand(pgbench, ['--no-vacuum', '--log', ...given]);
  const transactions = await readLog(own);
  await rm(own, { recursive: true });
  const [first, last] = [transactions[0]?.endSeconds ?? 0, transactions.at(-1)?.endSeconds ?? 0];
  if (first === last) throw new Error(`pgbench measured nothing: ${output}`);
  const startSeconds = first + WARM_UP * (last - first);
  const measured = transactions.filter(({ endSeconds }) => endSeconds > startSeconds);
  const perSecond = measured.length / (last - startSeconds);
  const micros = measured.map((transaction) => transaction.micros).sort((a, b) => a - b);
  const msAt = (share: number) => (micros[Math.ceil(share * micros.length) - 1] ?? 0) / 1000;
  return { units: transactions.length, perSecond, p50Ms: msAt(0.5), p99Ms: msAt(0.99) };
}

async function runCommand({ databaseUrl, signal }: Pgbench, args: readonly string[]): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const server = [`--host=${hostname}`, `--port=${port}`, `--username=${username}`, pathname.slice(1)];
  const env = { ...process.env, PGPASSWORD: password };
  return (await run('pgbench', [...args, ...server], { signal, env })).stdout;
}

/** Returns transactions in the order in which they ended. */
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
