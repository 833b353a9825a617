import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyEmbeddedPostgres, removeEmbeddedPostgres } from '@roundhouse/dev-postgres';
import { expect, inject } from 'vitest';
import { prepareDataFolder } from '../../src/node/dataFolder/dataFolder.ts';
import { type Exit, runInHost } from './commandHost.ts';

export type { Exit };

export const COMMAND = fileURLToPath(new URL('../../bin/roundhouse.js', import.meta.url));
/** The game is small, so it loads in no time. Its build writes it. */
export const SAMPLE_GAME = fileURLToPath(new URL('../../../../games/sample/dist', import.meta.url));
// A start takes seconds of a core, of which others may leave a tenth.
const WAIT_TIMEOUT_MS = 280_000;

export type Roundhouse = ReturnType<typeof spawnRoundhouse>;

/** `command` is the script to run, by default `roundhouse`. */
type Options = { env?: NodeJS.ProcessEnv; cwd?: string; command?: string };

const started = new Set<ChildProcess>();
const folders: string[] = [];

/** Runs at the end of each test file, also after a failure: the files share this module. */
export async function cleanUpAfterFile(): Promise<void> {
  const closed = [...started].map((child) => once(child, 'close'));
  for (const child of started) child.kill('SIGKILL');
  await Promise.all(closed);
  for (const folder of folders.splice(0)) {
    await removeEmbeddedPostgres(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes a new folder until the end of the file, with access for PostgreSQL's user. */
export async function temporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `roundhouse ${name} `));
  await chmod(folder, 0o711);
  folders.push(folder);
  return folder;
}

/** Makes a data folder whose database is there and migrated, until the end of the file. */
export async function preparedDataFolder(name: string): Promise<string> {
  const folder = await prepareDataFolder(await temporaryFolder(name));
  await copyEmbeddedPostgres(inject('templateFolder'), folder);
  return folder;
}

/** Writes a file with a secret in it, as `--secret-file` takes it. */
export async function secretFile(secret: string): Promise<string> {
  const file = path.join(await temporaryFolder('secret'), 'secret');
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  return file;
}

/** The games of the tests return more than 100 %. */
const ANY_RTP = '1000000';
/** The key is for the secrets of operators. */
export const SECRETS_KEY = '7e'.repeat(32);

/** Returns the environment of the tests without the command's settings, and these settings. */
export function environment(own: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(ROUNDHOUSE_|(TEST_)?DATABASE_URL$|PG)/.test(name),
  );
  const settings = { NO_COLOR: '1', ROUNDHOUSE_MAX_RTP: ANY_RTP, ROUNDHOUSE_SECRETS_KEY: SECRETS_KEY };
  return { ...Object.fromEntries(inherited), ...settings, ...own };
}

/** Starts the command in a separate process, which ends with the tests of the file. */
export function spawnRoundhouse(args: readonly string[], { env, cwd, command = COMMAND }: Options = {}) {
  const child = spawn(process.execPath, [command, ...args], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...(cwd !== undefined && { cwd }),
  });
  started.add(child);
  const printed = { all: '', stdout: '', stderr: '' };
  const output = new EventEmitter();
  let isOver = false;
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      printed.all += text;
      printed[stream] += text;
      output.emit('more');
    });
  }
  const exited = once(child, 'close').then(([code, signal]): Exit => {
    started.delete(child);
    isOver = true;
    return { code, signal, stdout: printed.stdout, stderr: printed.stderr };
  });
  const pid = child.pid ?? 0;
  return {
    pid,
    /** Returns what it has printed so far, on both streams. */
    output: () => printed.all,
    /** Returns the first match in all that it prints. Rejects when it ends without. */
    async waitFor(pattern: RegExp): Promise<RegExpMatchArray> {
      const deadline = AbortSignal.timeout(WAIT_TIMEOUT_MS);
      for (;;) {
        const match = printed.all.match(pattern);
        if (match) return match;
        if (isOver || deadline.aborted) throw new Error(`never printed ${pattern}:\n${printed.all}`);
        await Promise.race([once(output, 'more', { signal: deadline }).catch(() => {}), exited]);
      }
    },
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    /** Sends SIGINT to the process and all that it has started, as from a terminal. */
    pressCtrlC: () => void process.kill(-pid, 'SIGINT'),
    /** Sends SIGHUP; then nobody reads its output any more. */
    closeTerminal() {
      child.stdout.destroy();
      child.stderr.destroy();
      process.kill(-pid, 'SIGHUP');
    },
    exited,
    isRunning: () => child.exitCode === null && child.signalCode === null,
  };
}

/** Runs the command to its end, in a process that it shares with other runs. */
export function runRoundhouse(args: readonly string[], options: Options = {}): Promise<Exit> {
  const { env = {}, cwd = process.cwd(), command = COMMAND } = options;
  return runInHost({ args, env: environment(env) }, { command, cwd });
}

/** Runs the command, which must succeed; returns what it printed. */
export async function succeed(args: readonly string[], options: Options = {}): Promise<string> {
  const { code, stdout, stderr } = await runRoundhouse(args, options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** Returns what the lines of a log or a list hold. */
export const jsonLinesOf = (text: string): any[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Expects one line of error, without a stack. */
export function expectOneLine({ code, stderr }: Exit, line: RegExp): void {
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stderr).toMatch(line);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(code).toBe(1);
}

export type Dev = Roundhouse & {
  url: string;
  dataFolder: string;
  /** Each game has one, in the order of the games. */
  launchUrls: string[];
  curls: string[];
};

/** Starts `roundhouse dev` on a free port; resolves once it serves. */
export async function startDev(dataFolder: string, args: readonly string[] = [], options: Options = {}): Promise<Dev> {
  const roundhouse = spawnRoundhouse(['dev', ...args, '--port', '0', '--data', dataFolder], options);
  await roundhouse.waitFor(/^Ctrl-C stops it\.$/m);
  const output = roundhouse.output();
  const all = (pattern: RegExp) => [...output.matchAll(pattern)].map((match) => match[1] ?? '');
  const [url = ''] = all(/^Roundhouse serves .* on (\S+)$/gm);
  const launchUrls = all(/^ {2}launch {2}(\S+)$/gm);
  return { ...roundhouse, url, dataFolder, launchUrls, curls: all(/^ {2}(curl .*)$/gm) };
}

export type ServeNode = Roundhouse & { url: string };

/** Starts `roundhouse serve` on a free port; resolves once it serves. */
export async function startServe(args: readonly string[], options: Options = {}): Promise<ServeNode> {
  const roundhouse = spawnRoundhouse(['serve', ...args, '--port', '0'], options);
  const [, url = ''] = await roundhouse.waitFor(/"url":"([^"]+)".*"msg":"serving"/);
  return { ...roundhouse, url };
}

/** Returns the session that `roundhouse session` prints for a player of the house. */
export async function houseSession(
  { url, env, player }: { url: string; env: NodeJS.ProcessEnv; player: string },
  args: readonly string[] = [],
): Promise<string> {
  const printed = await succeed(['session', '--player', player, '--rgs-url', url, ...args], { env });
  return decodeURIComponent(/sessionID(?:=| +)([^&\s]+)/.exec(printed)?.[1] ?? '');
}

/** Returns a port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits until the port of the address takes no connection any more. */
export async function untilPortClosed(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const attempt = async () => {
    const socket = net.connect({ host: hostname, port: Number(port) });
    const outcome = await once(socket, 'connect').catch((error: NodeJS.ErrnoException) => error.code);
    socket.destroy();
    return outcome;
  };
  await expect.poll(attempt).toBe('ECONNREFUSED');
}

/** Sends SIGTERM; it must end with code 0. */
export async function stop(roundhouse: Roundhouse): Promise<void> {
  roundhouse.kill('SIGTERM');
  expect(await roundhouse.exited).toMatchObject({ code: 0, signal: null });
}

/** Returns the address of the database of a running `dev`. */
export async function databaseOf(dataFolder: string): Promise<string> {
  return JSON.parse(await readFile(path.join(dataFolder, 'running.json'), 'utf8')).databaseUrl;
}

/** Returns the process of the embedded PostgreSQL of a data folder. */
export async function postgresPid(dataFolder: string): Promise<number> {
  const { folder } = JSON.parse(await readFile(path.join(dataFolder, 'postgres.json'), 'utf8'));
  const pidFile = path.join(path.resolve(dataFolder, folder), 'postmaster.pid');
  return Number((await readFile(pidFile, 'utf8')).split('\n')[0]);
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
