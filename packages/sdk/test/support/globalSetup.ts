import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { writeTestGames } from './testGames.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended
  interface ProvidedContext {
    /** The real server listens here. */
    rgsUrl: string;
  }
}

const COMMAND = fileURLToPath(new URL('../../../../apps/server/bin/roundhouse.js', import.meta.url));
const START_TIMEOUT_MS = 280_000;

/**
 * Starts the real server, as a process, for all test files: the SDK's tests reach it over HTTP
 * only, as a game does.
 */
export default async function globalSetup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-sdk-'));
  // The database may run as another user, who must be able to pass through.
  await chmod(folder, 0o711);
  const games = await writeTestGames(path.join(folder, 'games'));
  const args = [COMMAND, 'dev', ...games, '--port', '0', '--data', path.join(folder, 'data')];
  const server = spawn(process.execPath, args, { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  // A Ctrl-C, or the end of whoever started the tests, must not leave a server behind.
  const endNow = () => server.kill('SIGTERM');
  const onSignal = (signal: NodeJS.Signals) => {
    const end = () => process.exit(128 + os.constants.signals[signal]);
    stop().then(end, end);
  };
  process.once('exit', endNow).once('SIGTERM', onSignal).once('SIGHUP', onSignal);
  const stop = async () => {
    process.off('exit', endNow).off('SIGTERM', onSignal).off('SIGHUP', onSignal);
    const closed = server.exitCode === null && server.signalCode === null ? once(server, 'close') : undefined;
    server.kill('SIGTERM');
    await closed;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    project.provide('rgsUrl', await printedAddress(server));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

/** Returns an environment in which the tests' own settings do not steer the server. */
function environment(): NodeJS.ProcessEnv {
  const isForeign = (name: string) => !/^(ROUNDHOUSE_|(TEST_)?DATABASE_URL$|PG)/.test(name);
  return { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => isForeign(name))), NO_COLOR: '1' };
}

function printedAddress(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (what: string) => {
      clearTimeout(timer);
      reject(new Error(`the server ${what}:\n${output}`));
    };
    const timer = setTimeout(() => fail(`was not up within ${START_TIMEOUT_MS} ms`), START_TIMEOUT_MS);
    server.once('error', (error) => fail(error.message));
    server.once('close', (code) => fail(`ended with ${code}`));
    for (const stream of [server.stdout, server.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const address = /^Roundhouse serves .* on (\S+)$/m.exec(output)?.[1];
        if (address === undefined || !output.includes('Ctrl-C stops it.')) return;
        clearTimeout(timer);
        resolve(address);
      });
    }
  });
}
