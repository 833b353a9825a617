import { type ChildProcess, execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { CleanUp } from '@roundhouse/service';
import { changeOperator } from '../../server/dist/operators/settings/changeOperator.js';
import type { Database } from '../../server/dist/store/database/database.js';
import { CURRENCY } from './benchGame.ts';
import { startChild } from './child.ts';
import { type CpuClock, treeClock, treeResidentBytes } from './cpu.ts';
import { type Folders, SECRETS_KEY, type StagedDatabase } from './stage.ts';

const ROUNDHOUSE = fileURLToPath(new URL('../../server/bin/roundhouse.js', import.meta.url));
/** The operator runs as a program: the server imports nothing of it. */
const OPERATOR = fileURLToPath(new URL('../../operator/bin/operator.js', import.meta.url));
export const OPERATOR_CODE = 'lobby';
const OPERATOR_SECRET = 'what the operators of the bench sign with';
/** The balance, in micros, is enough for every bet of a long run. */
const BALANCE = 1_000_000_000_000;

/** Describes a server of games, the processor time of all its processes, and their memory. */
export type GameServer = {
  url: string;
  /** It is empty without a console. */
  consoleUrl: string;
  pid: number;
  clock: CpuClock;
  residentBytes(): Promise<number>;
  /** Stops it as a supervisor does; resolves when it has ended. */
  stop(): Promise<void>;
};

export type ServeOptions = {
  databaseUrl: string;
  folders: Folders;
  /** The default is as many processes as `serve` chooses. */
  workers?: number | undefined;
  /** Each of its processes leaves a CPU profile in this folder. */
  cpuProf?: string | undefined;
  /** The limit is for each process. The default is `serve`'s own choice. */
  maxConnections?: number | undefined;
  /** The default is a free one. */
  port?: number;
  /** The default is no console; 0 takes a free port. */
  consolePort?: number;
};

/** Starts `roundhouse serve` as operators do; its log is on, and the bench reads it. */
export async function startRoundhouse(
  cleanUp: CleanUp,
  { databaseUrl, folders, workers, cpuProf, maxConnections, port = 0, consolePort }: ServeOptions,
): Promise<GameServer> {
  const profile = cpuProf === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', cpuProf];
  const paths = ['--games', folders.games, '--data', path.join(folders.root, 'data')];
  const options = {
    port,
    'console-port': consolePort,
    workers,
    'max-connections': maxConnections,
    'drain-seconds': 2,
    'log-level': 'info',
  };
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : `--${name}=${value}`));
  const server = spawn(process.execPath, [...profile, ROUNDHOUSE, 'serve', ...paths, ...given], {
    env: { ...environment(), DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUp.add(() => stop(server));
  return gameServer(await addressesInLog(server), { pid: server.pid, stop: () => stop(server) });
}

/** Runs a command of `roundhouse`. Returns what it prints; rejects unless it ends with 0. */
export async function runRoundhouse(databaseUrl: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [ROUNDHOUSE, ...args], {
    env: { ...environment(), DATABASE_URL: databaseUrl },
  });
  return stdout.trim();
}

/** Starts a server without skill on the same database. */
export async function startNaive(cleanUp: CleanUp, databaseUrl: string): Promise<GameServer> {
  const peer = startChild<{ databaseUrl: string }, { url: string }>(cleanUp, 'naive');
  const { url } = await peer.run({ databaseUrl });
  return gameServer({ url }, peer);
}

type Stoppable = { pid?: number | undefined; stop(): Promise<void> };

type Addresses = { url: string; consoleUrl?: string | undefined };

function gameServer({ url, consoleUrl = '' }: Addresses, { pid = 0, stop }: Stoppable): GameServer {
  return { url, consoleUrl, pid, clock: treeClock(pid), residentBytes: () => treeResidentBytes(pid), stop };
}

/** Adds an operator that has a wallet, as `roundhouse operator add` does. */
export async function addOperator(db: Database, code: string, walletUrl: string): Promise<void> {
  const makeSecret = () => OPERATOR_SECRET;
  const change = { walletUrl, secret: OPERATOR_SECRET };
  const added = await changeOperator(db, { code, kind: 'add', change, makeSecret });
  if (!added.ok) throw new Error(JSON.stringify(added));
}

/** Starts the reference operator on the same PostgreSQL. */
export async function startOperator(
  cleanUp: CleanUp,
  { db, url: databaseUrl }: StagedDatabase,
  roundhouseUrl: string,
): Promise<{ pid: number; clock: CpuClock; launch(playerID: string): Promise<string> }> {
  const operator = fork(OPERATOR, [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...environment(),
      DATABASE_URL: databaseUrl,
      ROUNDHOUSE_OPERATOR_CODE: OPERATOR_CODE,
      ROUNDHOUSE_OPERATOR_SECRET: OPERATOR_SECRET,
      ROUNDHOUSE_OPERATOR_RGS_URL: roundhouseUrl,
      ROUNDHOUSE_OPERATOR_LISTEN_PORT: '0',
      ROUNDHOUSE_OPERATOR_BENCH: '1',
    },
  });
  cleanUp.add(() => stop(operator));
  const [first] = await Promise.race([once(operator, 'message'), once(operator, 'exit')]);
  const url = (first as { url?: string } | null)?.url;
  if (url === undefined) throw new Error('the operator ended before it was ready');
  await addOperator(db, OPERATOR_CODE, `${url}/wallet`);
  return {
    pid: operator.pid ?? 0,
    clock: treeClock(operator.pid ?? 0),
    /** Creates a player with money and an authenticated session. Returns the sessionID. */
    async launch(playerID) {
      const players = `${url}/api/players`;
      await postJson(players, { playerID, currency: CURRENCY });
      await postJson(`${players}/${playerID}/balance`, { currency: CURRENCY, amount: BALANCE });
      const launch = { playerID, gameID: 'bench', currency: CURRENCY };
      const { sessionID } = await postJson<{ sessionID: string }>(`${url}/api/launch`, launch);
      await postJson(`${roundhouseUrl}/wallet/authenticate`, { sessionID });
      return sessionID;
    },
  };
}

/** Works on a limited number of items at the same time. */
export async function inGroups<Item, Result>(
  items: readonly Item[],
  size: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  while (results.length < items.length) {
    results.push(...(await Promise.all(items.slice(results.length, results.length + size).map(work))));
  }
  return results;
}

/** Sends one request that is not measured. Rejects when the response is not a success. */
export async function postJson<Body = unknown>(url: string, body: object): Promise<Body> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} responded ${response.status}: ${await response.text()}`);
  return (await response.json()) as Body;
}

/**
 * Leaves out the variables that would configure a server. All players come from one address,
 * without launches.
 */
function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(ROUNDHOUSE_|DATABASE_URL$|PG)/.test(name));
  const own = { ROUNDHOUSE_SECRETS_KEY: SECRETS_KEY, ROUNDHOUSE_UNKNOWN_SESSIONS_PER_SECOND: '0' };
  return { ...Object.fromEntries(inherited), ...own };
}

/** Finds the addresses, then throws the log away without a look at its lines: that costs least. */
function addressesInLog(server: ChildProcess): Promise<Addresses> {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk.toString();
      const serving = /"url":"([^"]+)"(?:,"console":"([^"]+)")?[^\n]*"msg":"serving"/.exec(text);
      const [, url, consoleUrl] = serving ?? [];
      if (url === undefined) return;
      server.stdout?.off('data', read).resume();
      resolve({ url, consoleUrl });
    };
    server.stdout?.on('data', read);
    server.once('exit', () => reject(new Error(`roundhouse serve ended: ${text.trim().split('\n').at(-1) ?? ''}`)));
  });
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, 'exit');
  server.kill('SIGTERM');
  await gone;
}
