import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { ViteDevServer } from 'vite';
import { isAnyAddress, LAUNCH_PATH } from '../address.ts';
import { takeSnapshot } from '../games/gameSnapshot.ts';
import type { DevMessage } from '../local/live.ts';
import { type DevProcess, startDevProcess } from './devProcess.ts';
import { createMathScript } from './mathScript.ts';
import { createPageStatus, type PageStatus } from './pageStatus.ts';
import { type ChosenPort, portBeside } from './ports.ts';

export type LiveGame = {
  /** Where the RGS launches the game, once it serves; undefined when it does not start. */
  launchUrl(): Promise<string | undefined>;
  stop(): Promise<void>;
};

export type LiveGameOptions = {
  folder: string;
  math: string | false;
  /** The one after the page's, or the next free one, when left out. */
  port: ChosenPort | undefined;
  /** `isChosen`: a person has named it, so no other one takes its place when it is in use. */
  data: { folder: string; isChosen: boolean };
};

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
  const data = path.resolve(root, options.data.folder);
  const math = options.math === false ? undefined : createMathScript({ root, math: options.math });
  const page = createPageStatus(server);
  const settled: (() => void)[] = [];
  let dev: DevProcess | undefined;
  let url: string | undefined;
  let gameID = '';
  let timer: NodeJS.Timeout | undefined;
  let isMathChanged = false;
  let mathRuns = 0;
  let isStopped = false;

  const settle = () => {
    for (const each of settled.splice(0)) each();
  };
  const fail: PageStatus['fail'] = (source, error) => {
    page.fail(source, error);
    settle();
  };

  const onMessage = (message: DevMessage) => {
    if (message.kind === 'refused') return fail('rgs', { message: message.message, stack: '' });
    if (message.kind === 'ready') url = message.url;
    // A change of game.json may give the game another id.
    gameID = message.gameID;
    page.reload();
    settle();
  };
  const onExit = (printed: string) => {
    dev = undefined;
    url = undefined;
    logger.error('roundhouse dev has ended; a change of the math or of game.json starts it again.');
    fail('rgs', { message: `roundhouse dev has ended.\n${printed}`, stack: '' });
  };
  const startDev = () => {
    if (dev !== undefined || isStopped) return;
    page.clear('rgs');
    const { isChosen: isDataChosen } = options.data;
    const args = devArguments(server, { folder, data, isDataChosen, port: options.port });
    dev = startDevProcess({ root, args, onMessage, onExit });
  };

  /** False when it failed, or when a later run has taken its place. */
  const runMath = async (): Promise<boolean> => {
    if (math === undefined) return true;
    mathRuns += 1;
    const run = mathRuns;
    logger.info(`roundhouse: ${options.math}`, { timestamp: true });
    page.setMaking(true);
    const outcome = await math.run();
    if (run !== mathRuns || isStopped) return false;
    page.setMaking(false);
    if (!outcome.ok) fail('math', outcome.error);
    return outcome.ok;
  };
  const update = async () => {
    const isMath = isMathChanged;
    isMathChanged = false;
    if (!isMath || (await runMath())) startDev();
  };
  const onFile = (_event: string, file: string) => {
    const isMath = math !== undefined && isSource(file, math.folder);
    const isGameFile = file === path.join(folder, 'game.json') && dev === undefined;
    if (!isMath && !isGameFile) return;
    if (isMath) {
      isMathChanged = true;
      // The error is of the files before, and so is the outcome of a run that is still on.
      mathRuns += 1;
      page.clear('math');
      page.setMaking(true);
    }
    clearTimeout(timer);
    timer = setTimeout(() => void update(), GATHER_MS);
  };

  const start = async () => {
    const before = onDataFolder.get(data);
    onDataFolder.set(data, game);
    await before?.stop();
    if (server.httpServer?.listening === false) await once(server.httpServer, 'listening');
    const { incomplete } = await takeSnapshot(folder);
    isMathChanged ||= incomplete !== undefined;
    await update();
  };

  const stopAndExit = (signal: NodeJS.Signals) => {
    void game.stop().finally(() => process.kill(process.pid, signal));
  };
  const game: LiveGame = {
    async launchUrl() {
      if (url === undefined && !page.hasError()) await new Promise<void>((resolve) => settled.push(resolve));
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
  server.watcher.on('all', onFile);
  if (math !== undefined) server.watcher.add(math.folder);
  void start();
  return game;
}

type DevOptions = Pick<LiveGameOptions, 'port'> & { folder: string; data: string; isDataChosen: boolean };

/** A port and a data folder that nobody has chosen give way to a server that has them. */
function devArguments(server: ViteDevServer, { folder, data, isDataChosen, port }: DevOptions): string[] {
  const { host, allowedHosts } = server.config.server;
  const names = allowedHosts === true ? ['*'] : (allowedHosts ?? []);
  const isForAll = host === true || (typeof host === 'string' && isAnyAddress(host));
  const ports =
    port === undefined
      ? ['--port', String(portBeside(pagePort(server))), '--or-next-port']
      : ['--port', String(port.port), '--port-set-by', port.setBy];
  return [
    ...[folder, '--frontend', pageUrl(server), ...ports],
    ...['--data', data, ...(isDataChosen ? [] : ['--or-next-data'])],
    ...(isForAll ? ['--host', '0.0.0.0'] : []),
    ...names.flatMap((name) => ['--allow-host', name]),
  ];
}

/** Not what the script writes, and not its tests. */
function isSource(file: string, folder: string): boolean {
  const below = path.relative(folder, file);
  const name = path.basename(file);
  return !below.startsWith('..') && !path.isAbsolute(below) && !PUBLISHED_FILE.test(name) && !TEST_FILE.test(name);
}

function pageUrl(server: ViteDevServer): string {
  const { host, https } = server.config.server;
  const name = typeof host === 'string' && !isAnyAddress(host) ? host : 'localhost';
  return new URL(server.config.base, `${https ? 'https' : 'http'}://${name}:${pagePort(server)}`).href;
}

function pagePort({ config, httpServer }: ViteDevServer): number {
  return (httpServer?.address() as AddressInfo | null)?.port ?? config.server.port;
}

export function defaultMath(root: string): string | false {
  const script = 'math/publish.ts';
  return existsSync(path.join(root, script)) ? script : false;
}
