import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { ViteDevServer } from 'vite';
import { isAnyAddress, LAUNCH_PATH } from '../address.ts';
import type { DevMessage } from '../cli/live.ts';
import { takeSnapshot } from '../games/gameSnapshot.ts';
import { type DevProcess, startDevProcess } from './devProcess.ts';
import { createMathScript } from './mathScript.ts';

export type LiveGame = {
  /** Where the RGS launches the game, once it serves; undefined when it does not start. */
  launchUrl(): Promise<string | undefined>;
  stop(): Promise<void>;
};

export type LiveGameOptions = { folder: string; math: string | false; port: number; data: string };

/** An editor may write several files at once. */
const GATHER_MS = 100;
const PUBLISHED_FILE = /^(index\.json$|books_|lookUpTable_)/;
const TEST_FILE = /\.(test|spec)\.\w+$/;

/** When Vite restarts, the next one begins before this one has stopped. */
const onDataFolder = new Map<string, LiveGame>();

/** Keeps the RGS and the published files up to date while Vite serves the front end. */
export function startLiveGame(server: ViteDevServer, options: LiveGameOptions): LiveGame {
  const { root, logger } = server.config;
  const folder = path.resolve(root, options.folder);
  const data = path.resolve(root, options.data);
  const math = options.math === false ? undefined : createMathScript({ root, math: options.math });
  const settled: (() => void)[] = [];
  let dev: DevProcess | undefined;
  let url: string | undefined;
  let gameID = '';
  let error: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let mathRuns = 0;
  let isStopped = false;

  const showError = () => {
    if (error === undefined) return;
    server.ws.send({ type: 'error', err: { message: error, stack: '', plugin: 'roundhouse' } });
  };
  const settle = () => {
    for (const each of settled.splice(0)) each();
  };
  const fail = (message: string) => {
    error = message;
    showError();
    settle();
  };
  const reload = () => {
    error = undefined;
    server.ws.send({ type: 'full-reload', path: '*' });
  };

  const onMessage = (message: DevMessage) => {
    if (message.kind === 'refused') return fail(message.message);
    if (message.kind === 'ready') url = message.url;
    // A change of game.json may give the game another id.
    gameID = message.gameID;
    reload();
    settle();
  };
  const onExit = (printed: string) => {
    dev = undefined;
    url = undefined;
    const hint = printed.includes('--port') ? `\nIn vite.config: roundhouse({ port: … }).` : '';
    logger.error(`roundhouse dev has ended; a change of the math or of game.json starts it again.${hint}`);
    fail(`roundhouse dev has ended.\n${printed}${hint}`);
  };
  const startDev = () => {
    if (dev !== undefined || isStopped) return;
    const args = [folder, '--data', data, '--port', String(options.port), '--frontend', pageUrl(server)];
    const { host } = server.config.server;
    if (host === true || (typeof host === 'string' && isAnyAddress(host))) args.push('--host', '0.0.0.0');
    dev = startDevProcess({ root, args, onMessage, onExit });
  };

  /** False when it failed, or when a later run has taken its place. */
  const runMath = async (): Promise<boolean> => {
    if (math === undefined) return true;
    mathRuns += 1;
    const run = mathRuns;
    logger.info(`roundhouse: ${options.math}`, { timestamp: true });
    const outcome = await math.run();
    if (run !== mathRuns || isStopped) return false;
    if (!outcome.ok) {
      fail(outcome.message);
      return false;
    }
    // Only takes the error off the page: a new version reloads it when it is served.
    if (error !== undefined) server.ws.send({ type: 'update', updates: [] });
    error = undefined;
    return true;
  };
  const update = async ({ isMath }: { isMath: boolean }) => {
    if (!isMath || (await runMath())) startDev();
  };
  const onFile = (_event: string, file: string) => {
    const isMath = math !== undefined && isSource(file, math.folder);
    const isGameFile = file === path.join(folder, 'game.json') && dev === undefined;
    if (!isMath && !isGameFile) return;
    clearTimeout(timer);
    timer = setTimeout(() => void update({ isMath }), GATHER_MS);
  };

  const start = async () => {
    const before = onDataFolder.get(data);
    onDataFolder.set(data, game);
    await before?.stop();
    if (server.httpServer?.listening === false) await once(server.httpServer, 'listening');
    const { incomplete } = await takeSnapshot(folder);
    await update({ isMath: incomplete !== undefined });
  };

  const stopAndExit = (signal: NodeJS.Signals) => {
    void game.stop().finally(() => process.kill(process.pid, signal));
  };
  const game: LiveGame = {
    async launchUrl() {
      if (url === undefined && error === undefined) await new Promise<void>((resolve) => settled.push(resolve));
      return url && new URL(`${LAUNCH_PATH}/${encodeURIComponent(gameID)}`, url).href;
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      process.off('SIGINT', stopAndExit);
      if (onDataFolder.get(data) === game) onDataFolder.delete(data);
      await Promise.all([math?.stop(), dev?.stop()]);
      settle();
    },
  };
  process.once('SIGINT', stopAndExit);
  server.ws.on('connection', showError);
  server.watcher.on('all', onFile);
  if (math !== undefined) server.watcher.add(math.folder);
  void start();
  return game;
}

/** Not what the script writes, and not its tests. */
function isSource(file: string, folder: string): boolean {
  const below = path.relative(folder, file);
  const name = path.basename(file);
  return !below.startsWith('..') && !path.isAbsolute(below) && !PUBLISHED_FILE.test(name) && !TEST_FILE.test(name);
}

function pageUrl({ config, httpServer }: ViteDevServer): string {
  const { host, port, https } = config.server;
  const name = typeof host === 'string' && !isAnyAddress(host) ? host : 'localhost';
  const listening = (httpServer?.address() as AddressInfo | null)?.port ?? port;
  return new URL(config.base, `${https ? 'https' : 'http'}://${name}:${listening}`).href;
}

export function defaultMath(root: string): string | false {
  const script = 'math/publish.ts';
  return existsSync(path.join(root, script)) ? script : false;
}
