import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startJoined } from '../../scripts/joined.mjs';
import { Staff } from './staff.ts';

const IS_WINDOWS = process.platform === 'win32';

const START_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 120_000;

/** The server, the console and the reference operator, as `npm start` runs them. */
export type Stack = {
  /** The server's. */
  origin: string;
  /** The reference operator listens here. */
  lobbyUrl: string;
  /** A test player of the house wallet has these launch URLs, by game. */
  launchUrls: Readonly<Record<string, string>>;
  /** The console for staff listens here. */
  consoleUrl: string;
  /** It signs an administrator of the server in. */
  adminCookie: string;
  databaseUrl: string;
  /** Commands reach its database by `--data`. */
  dataFolder: string;
};
export type StartedStack = { stack: Stack; stop: () => Promise<void> };

/**
 * Starts the built programs of `npm start` with these words, on free ports with a new data folder.
 */
export async function startStack(...words: string[]): Promise<StartedStack> {
  const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-e2e-'));
  const { server, ended } = startJoined([...words, '--port', '0', '--data', dataFolder], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: unconfiguredEnvironment(),
    // Ctrl-C ends the tests first, then the stack.
    detached: !IS_WINDOWS,
  });
  const output = collectOutput(server);
  const stop = async () => {
    try {
      await stopServer(server, ended, output);
    } finally {
      stopListening();
      await rm(dataFolder, { recursive: true, force: true });
    }
  };
  const stopListening = whenWeAreStopped(stop, () => server.kill('SIGTERM'));
  try {
    const { firstLink, ...urls } = await printedUrls(server, ended, output);
    const running = JSON.parse(await readFile(path.join(dataFolder, 'running.json'), 'utf8'));
    const { databaseUrl } = running as { databaseUrl: string };
    const { cookie: adminCookie } = await Staff.first(urls.consoleUrl, firstLink);
    return { stack: { ...urls, adminCookie, databaseUrl, dataFolder }, stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

/**
 * Playwright runs the teardown after SIGINT only, and not after a second one. In every other case
 * `stop` is called here, or `endNow` where nothing can be waited for. Returns what ends this.
 */
function whenWeAreStopped(stop: () => Promise<void>, endNow: () => void): () => void {
  const onSignal = (signal: NodeJS.Signals) => {
    stop()
      .catch((error) => console.error(error))
      .finally(() => process.exit(128 + os.constants.signals[signal]));
  };
  process.once('exit', endNow).once('SIGTERM', onSignal).once('SIGHUP', onSignal);
  return () => process.off('exit', endNow).off('SIGTERM', onSignal).off('SIGHUP', onSignal);
}

/** Leaves out the variables that would configure the stack. */
function unconfiguredEnvironment(): NodeJS.ProcessEnv {
  const isOurs = (name: string) => name === 'DATABASE_URL' || name.startsWith('ROUNDHOUSE_');
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)));
}

type Output = { text: string };
type Ended = ReturnType<typeof startJoined>['ended'];

function collectOutput({ stdout, stderr }: ChildProcess): Output {
  const output = { text: '' };
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output.text += chunk;
    });
  }
  return output;
}

type PrintedUrls = Pick<Stack, 'origin' | 'lobbyUrl' | 'launchUrls' | 'consoleUrl'> & { firstLink: string };

function printedUrls({ stdout }: ChildProcess, ended: Ended, output: Output): Promise<PrintedUrls> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`roundhouse dev ${what}:\n${output.text}`));
    const timer = setTimeout(() => fail(`has not printed its URLs for ${START_TIMEOUT_MS / 1000} s`), START_TIMEOUT_MS);
    // It listens after collectOutput, so the chunk is in the text already.
    stdout?.on('data', () => {
      if (!output.text.includes('Ctrl-C stops it.')) return;
      clearTimeout(timer);
      const printed = (line: RegExp) => line.exec(output.text)?.[1] ?? fail(`has not printed ${line}`) ?? '';
      const launches = [...output.text.matchAll(/^ *launch +(http\S+)$/gm)].map(([, url = '']) => url);
      resolve({
        origin: printed(/^Roundhouse serves .* on (\S+)$/m),
        lobbyUrl: printed(/^Lobby +(http\S+)$/m),
        consoleUrl: printed(/^Console +(http\S+)$/m),
        firstLink: printed(/^ *first sign-in +(http\S+)$/m),
        launchUrls: Object.fromEntries(launches.map((url) => [new URL(url).pathname.split('/')[1], url])),
      });
    });
    ended.then(([code]) => fail(`ended with exit code ${code}`), reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Ends it as `kill` or a service manager does. Exit code 0 means that everything was closed in
 * order.
 */
async function stopServer(server: ChildProcess, ended: Ended, output: Output): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) {
    throw new Error(`the stack had ended with ${server.exitCode ?? server.signalCode}:\n${output.text}`);
  }
  server.kill('SIGTERM');
  // A second SIGTERM ends it at once. SIGKILL would end the server only.
  const timer = setTimeout(() => server.kill('SIGTERM'), STOP_TIMEOUT_MS);
  const [code] = await ended.finally(() => clearTimeout(timer));
  // Windows has no signals and ends the process at once.
  if (code !== 0 && !IS_WINDOWS) {
    throw new Error(`the stack ended with exit code ${code} after SIGTERM:\n${output.text}`);
  }
}
