import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ViteDevServer } from 'vite';
import { takeSnapshot } from '../../rounds/games/gameSnapshot.ts';
import { createLiveMath } from './liveMath.ts';
import { createLiveRgs } from './liveRgs.ts';
import { createPageStatus } from './pageStatus.ts';
import type { ChosenPort } from './ports.ts';

export type LiveGame = {
  /** Returns where the RGS launches the game, once it serves; undefined when it does not start. */
  launchUrl(): Promise<string | undefined>;
  stop(): Promise<void>;
};

export type LiveGameOptions = {
  folder: string;
  math: string | false;
  /** When left out, it is the port after the page's, or the next free one. */
  port: ChosenPort | undefined;
  /** `isChosen`: a person has named the folder, so none replaces it when it is in use. */
  data: { folder: string; isChosen: boolean };
};

/** An editor may write several files at once. */
const GATHER_MS = 100;

/** When Vite restarts, the next game begins before this one has stopped. */
const onDataFolder = new Map<string, LiveGame>();

/** Keeps the RGS and the published files up to date while Vite serves the front end. */
export function startLiveGame(server: ViteDevServer, options: LiveGameOptions): LiveGame {
  const { root } = server.config;
  const folder = path.resolve(root, options.folder);
  const data = path.resolve(root, options.data.folder);
  const page = createPageStatus(server);
  const math = createLiveMath(server, page, options.math);
  const rgs = createLiveRgs(server, page, {
    folder,
    data,
    isDataChosen: options.data.isChosen,
    port: options.port,
  });
  let timer: NodeJS.Timeout | undefined;

  const update = async () => {
    if (await math.update()) rgs.start();
    else if (page.hasError()) rgs.settle();
  };
  const onFile = (_event: string, file: string) => {
    const isSource = math.isSource(file);
    const isGameFile = file === path.join(folder, 'game.json') && !rgs.isRunning();
    if (!isSource && !isGameFile) return;
    if (isSource) math.change();
    clearTimeout(timer);
    timer = setTimeout(() => void update(), GATHER_MS);
  };
  const start = async () => {
    const before = onDataFolder.get(data);
    onDataFolder.set(data, game);
    await before?.stop();
    if (server.httpServer?.listening === false) await once(server.httpServer, 'listening');
    const { incomplete } = await takeSnapshot(folder);
    if (incomplete !== undefined) math.require();
    await update();
  };

  const stopAndExit = (signal: NodeJS.Signals) => {
    void game.stop().finally(() => process.kill(process.pid, signal));
  };
  const game: LiveGame = {
    launchUrl: rgs.launchUrl,
    async stop() {
      clearTimeout(timer);
      process.off('SIGINT', stopAndExit);
      if (onDataFolder.get(data) === game) onDataFolder.delete(data);
      await Promise.all([math.stop(), rgs.stop()]);
      rgs.settle();
    },
  };
  process.once('SIGINT', stopAndExit);
  server.watcher.on('all', onFile);
  if (math.folder !== undefined) server.watcher.add(math.folder);
  void start();
  return game;
}

export function defaultMath(root: string): string | false {
  const script = 'math/publish.ts';
  return existsSync(path.join(root, script)) ? script : false;
}
