import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CleanUp } from '@roundhouse/service';
import { changeOperator } from '../dist/ledger/queries/changeOperator.js';
import { startChild } from './child.ts';
import { type CpuClock, treeClock } from './cpu.ts';
import type { Folders, StagedDatabase } from './stage.ts';
import { CURRENCY, postJson, SECRETS_KEY } from './workload.ts';

const ROUNDHOUSE = fileURLToPath(new URL('../bin/roundhouse.js', import.meta.url));
/** Run as a program: the server knows no operator. */
const OPERATOR = fileURLToPath(new URL('../../operator/bin/operator.js', import.meta.url));
const OPERATOR_CODE = 'lobby';
const OPERATOR_SECRET = 'what the reference operator of the bench signs with';
/** Micros: enough for every bet of a long run. */
const BALANCE = 1_000_000_000_000;

/** How `roundhouse serve` is started. */
export type ServeSettings = {
  /** As many processes as `serve` takes by itself when left out. */
  workers?: number;
  /** Where every process of it leaves a CPU profile. */
  profileFolder?: string;
};

/** A server of games, and the processor time of all its processes. */
export type GameServer = { url: string; clock: CpuClock };

/** `roundhouse serve` as operators start it, its log on and read by nobody but us. */
export async function startRoundhouse(
  cleanUp: CleanUp,
  { databaseUrl, folders }: { databaseUrl: string; folders: Folders },
  { workers, profileFolder }: ServeSettings,
): Promise<GameServer> {
  const profile = profileFolder === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profileFolder];
  const paths = ['--games', folders.games, '--data', path.join(folders.root, 'data')];
  const processes = workers === undefined ? [] : ['--workers', String(workers)];
  const args = [...profile, ROUNDHOUSE, 'serve', '--port', '0', '--log-level', 'info', ...paths, ...processes];
  const env = { ...environment(), DATABASE_URL: databaseUrl };
  const server = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  cleanUp.add(() => stop(server));
  return { url: await addressInLog(server), clock: treeClock(server.pid ?? 0) };
}

export async function startNaive(cleanUp: CleanUp, databaseUrl: string): Promise<GameServer> {
  const naive = startChild<{ databaseUrl: string }, { url: string }>('naive');
  cleanUp.add(naive.stop);
  const { url } = await naive.run({ databaseUrl });
  return { url, clock: treeClock(naive.pid) };
}

/**
 * The reference operator on the same PostgreSQL, joined with the server as `roundhouse operator
 * add` does it.
 */
export async function startOperator(
  cleanUp: CleanUp,
  { db, url: databaseUrl }: StagedDatabase,
  roundhouseUrl: string,
): Promise<{ clock: CpuClock; launch(playerID: string): Promise<string> }> {
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
  const ended = once(operator, 'exit').then((): never => {
    throw new Error('the operator ended before it was ready');
  });
  const [{ url }] = (await Promise.race([once(operator, 'message'), ended])) as [{ url: string }];
  ended.catch(() => {});
  const change = { walletUrl: `${url}/wallet`, secret: OPERATOR_SECRET };
  const joined = await changeOperator(db, {
    code: OPERATOR_CODE,
    kind: 'add',
    change,
    makeSecret: () => OPERATOR_SECRET,
  });
  if (!joined.ok) throw new Error(JSON.stringify(joined));
  return {
    clock: treeClock(operator.pid ?? 0),
    /** A player with money and a session that the server knows: its sessionID. */
    async launch(playerID) {
      const player = `${url}/api/players`;
      await postJson(player, { playerID, currency: CURRENCY });
      await postJson(`${player}/${playerID}/balance`, { currency: CURRENCY, amount: BALANCE });
      const launch = { playerID, gameID: 'bench', currency: CURRENCY };
      const { sessionID } = await postJson<{ sessionID: string }>(`${url}/api/launch`, launch);
      await postJson(`${roundhouseUrl}/wallet/authenticate`, { sessionID });
      return sessionID;
    },
  };
}

/**
 * The environment of the bench steers no server. All players come from one address, without
 * launches.
 */
function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(ROUNDHOUSE_|DATABASE_URL$|PG)/.test(name));
  const own = { ROUNDHOUSE_SECRETS_KEY: SECRETS_KEY, ROUNDHOUSE_UNKNOWN_SESSIONS_PER_SECOND: '0' };
  return { ...Object.fromEntries(inherited), ...own };
}

/** From then on the log is read and thrown away, line breaks unseen: that costs least. */
function addressInLog(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk.toString();
      const url = /"url":"([^"]+)"[^\n]*"msg":"serving"/.exec(text)?.[1];
      if (url === undefined) return;
      server.stdout?.off('data', read).resume();
      resolve(url);
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
