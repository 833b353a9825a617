import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CleanUp } from '@roundhouse/service';
import { type CpuClock, treeClock } from '../cpu.ts';
import type { Folders } from '../stage/stage.ts';
import { SECRETS_KEY } from '../workload.ts';

const COMMAND = fileURLToPath(new URL('../../bin/roundhouse.js', import.meta.url));

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
  const server = spawn(
    process.execPath,
    [...profile, COMMAND, 'serve', '--port', '0', '--log-level', 'info', ...paths, ...processes],
    { env: { ...environment(), DATABASE_URL: databaseUrl }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  cleanUp.add(() => stop(server));
  if (server.pid === undefined) throw new Error('roundhouse serve could not be started');
  return { url: await addressIn(server), clock: treeClock(server.pid) };
}

/** Nothing of the environment that the bench itself runs in steers the server. All players come from one address, without launches. */
export function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(ROUNDHOUSE_|DATABASE_URL$|PG)/.test(name));
  const own = { ROUNDHOUSE_SECRETS_KEY: SECRETS_KEY, ROUNDHOUSE_UNKNOWN_SESSIONS_PER_SECOND: '0' };
  return { ...Object.fromEntries(inherited), ...own };
}

/** The address that its log names. From then on the log is read and thrown away, line breaks unseen: that costs least. */
function addressIn(server: ChildProcess): Promise<string> {
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
