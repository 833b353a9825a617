import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../../apps/server/bin/roundhouse.js', import.meta.url));
const SLOT = fileURLToPath(new URL('../../apps/server/pages/demo-slot', import.meta.url));

/**
 * Many wallets have cents, and a hundredth of a bet of 0.10 in the ante mode is not whole cents.
 */
export const BET_LEVELS = [200_000, 400_000, 1_000_000, 2_000_000];

/** The slot, and the simulator of an aggregator whose wallet has the money. */
export type DialectStack = {
  /** The server's. */
  url: string;
  /** Sends a request to the simulator's control API: a POST with a body, else a GET. */
  control<Body>(path: string, body?: object): Promise<Body>;
  stop(): Promise<void>;
};

/** Starts `roundhouse dev --dialect` on free ports with a new data folder. */
export async function startDialectStack(dialect: string): Promise<DialectStack> {
  const data = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-e2e-'));
  const game = path.join(data, 'slot');
  await writeGame(game);
  const words = ['--port', '0', '--data', path.join(data, 'data'), '--dialect', dialect, '--dialect-port', '0'];
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name !== 'DATABASE_URL' && !name.startsWith('ROUNDHOUSE_')),
  );
  const dev = spawn(process.execPath, [COMMAND, 'dev', game, ...words], { stdio: ['ignore', 'pipe', 'pipe'], env });
  const ended = once(dev, 'close');
  let output = '';
  for (const stream of [dev.stdout, dev.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const stop = async () => {
    dev.kill('SIGTERM');
    await ended;
    await rm(data, { recursive: true, force: true });
  };
  while (!output.includes('Ctrl-C stops it.')) {
    const isOver = await Promise.race([once(dev.stdout, 'data').then(() => false), ended.then(() => true)]);
    if (isOver) throw new Error(`dev --dialect ${dialect} ended:\n${output}`);
  }
  const [, url = ''] = /^Roundhouse serves .* on (\S+)$/m.exec(output) ?? [];
  const [, simulator = ''] = /^Lobby +(http\S+)$/m.exec(output) ?? [];
  return {
    url,
    async control<Body>(route: string, body?: object) {
      const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const response = await fetch(new URL(`/control${route}`, simulator), body && post);
      const text = await response.text();
      if (!response.ok) throw new Error(`${route} responded ${response.status} ${text}`);
      return JSON.parse(text) as Body;
    },
    stop,
  };
}

/** The slot with these bets in USD. */
async function writeGame(folder: string): Promise<void> {
  await cp(SLOT, folder, { recursive: true });
  const game = JSON.parse(await readFile(path.join(SLOT, 'game.json'), 'utf8'));
  const limits = { minBet: BET_LEVELS[0], maxBet: BET_LEVELS.at(-1), stepBet: BET_LEVELS[0], betLevels: BET_LEVELS };
  Object.assign(game.betLimits.USD, limits);
  await writeFile(path.join(folder, 'game.json'), JSON.stringify(game));
}
