import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACK = fileURLToPath(new URL('../../scripts/pack.mjs', import.meta.url));
/** Nothing of this workspace: its own environment would lead a game's programs into it. */
const ENVIRONMENT = { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1', BROWSER: 'none' };

export type Workplace = { folder: string; tarballs: string; remove: () => Promise<void> };

/** Makes a folder outside the workspace, with the packages as they would be published. */
export async function makeWorkplace(): Promise<Workplace> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-new-game-'));
  // PostgreSQL runs as another user when we are root, and this lets it in.
  await chmod(folder, 0o711);
  const tarballs = path.join(folder, 'tarballs');
  await run(process.execPath, [PACK, tarballs]);
  return { folder, tarballs, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Runs a program to its end. Rejects with all that it has printed when it fails. */
export async function runIn(cwd: string, command: readonly [string, ...string[]], env: NodeJS.ProcessEnv = {}) {
  const [program, ...args] = command;
  const options = { cwd, env: { ...ENVIRONMENT, ...env }, maxBuffer: 2 ** 26 };
  return run(program, args, options).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${command.join(' ')} failed\n${error.stdout}\n${error.stderr}`);
  });
}

export async function secondsOf(task: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await task();
  return (performance.now() - startedMs) / 1000;
}

export async function edit(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`);
  await writeFile(file, text.replace(from, to));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

type DevServer = { url: string; output: () => string; stop: () => Promise<void> };

/** Runs `npm run dev`, on free ports. */
export async function startDev(project: string): Promise<DevServer> {
  const [pagePort, serverPort] = [await freePort(), await freePort()];
  const config = path.join(project, 'vite.config.ts');
  await edit(config, 'server: { open: true }', `server: { port: ${pagePort}, strictPort: true }`);
  await edit(config, 'roundhouse()', `roundhouse({ port: ${serverPort} })`);
  const child: ChildProcess = spawn('npm', ['run', 'dev'], {
    cwd: project,
    env: ENVIRONMENT,
    // It gets its own process group, so that the signal reaches what npm has started.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const listening = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Local:')) resolve();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => reject(new Error(`npm run dev has ended\n${output}`)));
  });
  await listening;
  return {
    url: `http://localhost:${pagePort}/`,
    output: () => output,
    async stop() {
      const closed = once(child, 'close');
      process.kill(-(child.pid as number), 'SIGTERM');
      await closed;
    },
  };
}
