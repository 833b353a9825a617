import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartError } from '@roundhouse/service';
import type { Binaries } from './binaries.ts';
import { type Cluster, POSTGRES_ENVIRONMENT } from './cluster.ts';
import { leash } from './leash.ts';
import type { SystemUser } from './systemUser.ts';

const READY_TIMEOUT_MS = 120_000; // A normal start takes 0.1 s, crash recovery much longer.
const STOP_TIMEOUT_MS = 30_000;
const POLL_MS = 20;

export type Postmaster = {
  port: number;
  /** Sends a signal to all processes of the database. */
  signal(name: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
};

export type PostmasterOptions = {
  cluster: Cluster;
  binaries: Binaries;
  user: SystemUser | undefined;
  logFile: string;
  fast: boolean;
  /** These are lines of postgresql.conf, for example wal_keep_size=1GB. */
  settings?: readonly string[];
  /** The folder and its content are removed when the database ends, for whatever reason. */
  temporaryFolder?: string;
  log: (line: string) => void;
};

export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const deadlineMs = Date.now() + STOP_TIMEOUT_MS;
  for (;;) {
    const port = await freePort();
    const child = await spawnPostmaster(options, port);
    const failure = await untilReady(child, options);
    if (failure === undefined) return running(child, port, options);
    // Another process took the port first; or the PostgreSQL of a killed process had not written
    // its file yet when we looked; or its last processes are still ending, which takes seconds on a
    // busy machine.
    const passing = /could not bind|could not create any TCP|pre-existing shared memory|lock file "postmaster\.pid"/;
    if (!passing.test(failure) || Date.now() >= deadlineMs)
      throw new StartError(`The embedded PostgreSQL did not start: ${failure}`);
    await wait(POLL_MS * 10);
    await stopOrphan(options.cluster, options.log);
  }
}

/**
 * Stops a postmaster that a killed process left on this cluster. The caller holds the lock of the
 * data folder.
 */
export async function stopOrphan(cluster: Cluster, log: (line: string) => void): Promise<void> {
  const pidFile = path.join(cluster.folder, 'postmaster.pid');
  const pid = await pidOf(pidFile);
  if (pid === undefined) return;
  if (!(await isPostmasterOf(pid, cluster.folder))) {
    // PostgreSQL refuses to start when another process of its user now has the old process number.
    await rm(pidFile, { force: true });
    return;
  }
  log(`stopping the PostgreSQL (process ${pid}) that an earlier run left behind`);
  const gone = async () => !(await isPostmasterOf(pid, cluster.folder));
  if (await signalUntil({ pid, signal: 'SIGINT', done: gone })) return;
  if (await signalUntil({ pid, signal: 'SIGQUIT', done: gone })) return;
  throw new StartError(
    `The PostgreSQL that an earlier run left behind (process ${pid}) does not end: end it, then start again`,
  );
}

async function spawnPostmaster(options: PostmasterOptions, port: number): Promise<ChildProcess> {
  const { binaries, cluster, user, logFile } = options;
  // A file and not a pipe: with a full pipe the database would wait for us, and it runs on for a
  // moment when we are killed.
  const log = await open(logFile, 'w', 0o600);
  try {
    const child = spawn(binaries.postgres, ['-D', cluster.folder, '-p', String(port), ...settings(options)], {
      ...user,
      // Its own process group: Ctrl-C in the terminal must not stop it while requests in flight
      // need it.
      detached: true,
      cwd: path.parse(cluster.folder).root,
      env: POSTGRES_ENVIRONMENT,
      stdio: ['ignore', log.fd, log.fd],
    });
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}

function settings({ fast, settings: more = [] }: PostmasterOptions): string[] {
  const values = [
    'listen_addresses=127.0.0.1',
    // It uses TCP: the path of a Unix socket has at most 107 bytes, which many folders exceed.
    'unix_socket_directories=',
    'max_connections=200',
    'timezone=UTC',
    'log_timezone=UTC',
    'log_checkpoints=off',
    ...(fast ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []),
    ...more,
  ];
  return values.flatMap((value) => ['-c', value]);
}

/** Resolves with undefined when PostgreSQL is ready, otherwise with the reason why it is not. */
async function untilReady(child: ChildProcess, { cluster, logFile }: PostmasterOptions): Promise<string | undefined> {
  let spawnFailure: string | undefined;
  child.once('error', (error) => {
    spawnFailure = error.message;
  });
  const deadlineMs = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadlineMs) {
    if (spawnFailure !== undefined) return spawnFailure;
    if (child.exitCode !== null || child.signalCode !== null) return lastLines(logFile);
    if (await isReady(child, cluster)) return undefined;
    await wait(POLL_MS);
  }
  child.kill('SIGQUIT');
  return `not ready after ${READY_TIMEOUT_MS / 1000} s, see ${logFile}`;
}

async function isReady(child: ChildProcess, cluster: Cluster): Promise<boolean> {
  const lines = (await readFile(path.join(cluster.folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready';
}

function running(child: ChildProcess, port: number, options: PostmasterOptions): Postmaster {
  const release = leash({ child, clusterFolder: options.cluster.folder, temporaryFolder: options.temporaryFolder });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let stopping: Promise<void> | undefined;
  child.once('exit', (code, signal) => {
    if (!stopping) options.log(`PostgreSQL ended by itself (${signal ?? `code ${code}`}), see ${options.logFile}`);
  });
  const stop = async () => {
    const hurry = setTimeout(() => child.kill('SIGQUIT'), STOP_TIMEOUT_MS);
    // SIGINT is PostgreSQL's fast shutdown: it rolls open transactions back and writes everything,
    // so the next start needs no recovery.
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT');
    child.ref();
    if (child.exitCode === null && child.signalCode === null) await exited;
    clearTimeout(hurry);
    release();
    if (options.temporaryFolder) await rm(options.temporaryFolder, { recursive: true, force: true });
  };
  return {
    port,
    async signal(name) {
      const pid = child.pid as number;
      const send = (to: number, what: NodeJS.Signals) => {
        try {
          process.kill(to, what);
        } catch {
          // It has ended.
        }
      };
      // All processes are its children. A stopped postmaster makes no more of them.
      if (name !== 'SIGCONT') send(pid, 'SIGSTOP');
      const children = await promisify(execFile)('pgrep', ['-P', String(pid)]).catch(() => ({ stdout: '' }));
      for (const each of [...children.stdout.split('\n').filter(Boolean).map(Number), pid]) send(each, name);
      if (name === 'SIGKILL' && child.exitCode === null && child.signalCode === null) await exited;
    },
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

async function pidOf(pidFile: string): Promise<number | undefined> {
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
  return Number.isInteger(pid) && pid > 1 ? pid : undefined;
}

// The system reuses process numbers. A postmaster works in its cluster's folder and has it in its
// command line.
async function isPostmasterOf(pid: number, folder: string): Promise<boolean> {
  if (process.platform === 'linux') {
    const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
    return workingFolder !== undefined && workingFolder === (await realpath(folder).catch(() => undefined));
  }
  const ps = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => undefined);
  return ps?.stdout.includes(folder) ?? false;
}

async function signalUntil(options: {
  pid: number;
  signal: NodeJS.Signals;
  done: () => Promise<boolean>;
}): Promise<boolean> {
  try {
    process.kill(options.pid, options.signal);
  } catch {
    // The process has ended already or belongs to another user: the loop finds out which.
  }
  const deadlineMs = Date.now() + STOP_TIMEOUT_MS;
  while (Date.now() < deadlineMs) {
    if (await options.done()) return true;
    await wait(POLL_MS);
  }
  return false;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function lastLines(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trim().split('\n').slice(-6).join(' | ') || 'its log is empty';
}
