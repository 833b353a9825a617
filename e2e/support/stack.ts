import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const START_SCRIPT = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));

const IS_WINDOWS = process.platform === 'win32';

// It takes minutes, because `npm start` installs and builds what is missing.
const START_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 120_000;

export type Stack = {
  /** The reference operator answers here. */
  lobbyUrl: string;
  /** A test player of the house wallet has this launch URL. */
  launchUrl: string;
  /** The console for staff listens here. */
  consoleUrl: string;
  /** Commands reach its database by `--data`. */
  dataFolder: string;
  stop: () => Promise<void>;
};
type StackProcess = ChildProcessByStdio<null, Readable, Readable>;

/**
 * Starts what `npm start` starts with these words, on a free port with a new data folder: the demo
 * slot, or the games of folders.
 */
export async function startStack(words: readonly string[] = []): Promise<Stack> {
  const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-e2e-'));
  const started = spawn(process.execPath, [START_SCRIPT, ...words, '--port', '0', '--data', dataFolder], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: unconfiguredEnvironment(),
    // Ctrl-C ends the tests first, then the stack.
    detached: !IS_WINDOWS,
  });
  const output = collectOutput(started);
  const stop = async () => {
    try {
      await stopProcess(started, output);
    } finally {
      stopListening();
      await rm(dataFolder, { recursive: true, force: true });
    }
  };
  const stopListening = whenWeAreStopped(stop, () => started.kill('SIGTERM'));
  try {
    return { ...(await printedUrls(started, output)), dataFolder, stop };
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

function collectOutput({ stdout, stderr }: StackProcess): Output {
  const output = { text: '' };
  for (const stream of [stdout, stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output.text += chunk;
    });
  }
  return output;
}

function printedUrls(
  started: StackProcess,
  output: Output,
): Promise<Pick<Stack, 'lobbyUrl' | 'launchUrl' | 'consoleUrl'>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(`has not printed its URLs for ${START_TIMEOUT_MS / 1000} s`), START_TIMEOUT_MS);
    const fail = (what: string) => {
      clearTimeout(timer);
      reject(new Error(`npm start ${what}:\n${output.text}`));
    };
    // It listens after collectOutput, so the chunk is in the text already.
    started.stdout.on('data', () => {
      const lobbyUrl = /^Lobby +(http\S+)$/m.exec(output.text)?.[1];
      const launchUrl = /^ *launch +(http\S+)$/m.exec(output.text)?.[1];
      const consoleUrl = /^Console +(http\S+)$/m.exec(output.text)?.[1];
      if (lobbyUrl === undefined || launchUrl === undefined || consoleUrl === undefined) return;
      if (!output.text.includes('Ctrl-C stops it.')) return;
      clearTimeout(timer);
      resolve({ lobbyUrl, launchUrl, consoleUrl });
    });
    started.once('error', (error) => fail(error.message));
    started.once('close', (code) => fail(`ended with exit code ${code}`));
  });
}

/**
 * Ends it as `kill` or a service manager does. Exit code 0 means that everything was closed in
 * order.
 */
async function stopProcess(started: StackProcess, output: Output): Promise<void> {
  if (started.exitCode !== null || started.signalCode !== null) {
    throw new Error(`the stack had ended with ${started.exitCode ?? started.signalCode}:\n${output.text}`);
  }
  const closed = once(started, 'close', { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) });
  started.kill('SIGTERM');
  const [code] = await closed.catch(() => {
    // A second SIGTERM ends it at once. SIGKILL would end the script only and leave the server
    // behind.
    started.kill('SIGTERM');
    throw new Error(`the stack did not stop within ${STOP_TIMEOUT_MS / 1000} s of SIGTERM:\n${output.text}`);
  });
  // Windows has no signals and ends the process at once.
  if (code !== 0 && !IS_WINDOWS) {
    throw new Error(`the stack ended with exit code ${code} after SIGTERM:\n${output.text}`);
  }
}
