import path from 'node:path';
import type { Connect, Plugin } from 'vite';
import { isLoopback } from '../../base/address.ts';
import { canOpenBrowser } from './desktop.ts';
import { defaultMath, type LiveGame, startLiveGame } from './liveGame.ts';
import { PAGE_SCRIPT, PAGE_SCRIPT_ID, PAGE_SCRIPT_PATH } from './pageScript.ts';
import { type ChosenPort, portOfVariable } from './ports.ts';

export type RoundhouseOptions = {
  /**
   * The folder of the game, with game.json and the published files, lies below Vite's root; `.`
   * when left out.
   */
  folder?: string;
  /**
   * A script (run by the project's tsx) or a command line writes the published files. It runs at
   * the start when they are missing, and whenever a file beside the script changes.
   * `math/publish.ts` when left out and there is one; false: nothing runs.
   */
  math?: string | false;
  /**
   * The RGS listens on it. When left out, it is RGS_PORT of the environment. Without that the RGS
   * takes the one after the page's port, or the next free one.
   */
  port?: number;
  /**
   * The RGS keeps its database here, below Vite's root. It is `.roundhouse` when left out, or
   * `.roundhouse-2` and so on while other servers use these.
   */
  data?: string;
};

const DEFAULT_DATA = '.roundhouse';
const PUBLISHED_FILES = ['**/publish_files/**', '**/books_*', '**/lookUpTable_*'];

/**
 * Runs the game on a real RGS beside Vite's dev server. The page launches itself when it is opened
 * without a session. A change of the math is published, verified and served as a new version, and
 * the page reloads onto it. Errors of the math appear in the terminal and on the page. PORT of the
 * environment is the port of the page, unless Vite has one. A port that is given must be free.
 */
export default function roundhouse(options: RoundhouseOptions = {}): Plugin {
  const { folder = '.', math, data = DEFAULT_DATA } = options;
  let game: LiveGame | undefined;
  let isWithoutDesktop = false;
  return {
    name: 'roundhouse',
    // Vitest reads the same configuration, and its tests need no RGS.
    apply: (_config, { command, mode }) => command === 'serve' && mode !== 'test',
    config: ({ server = {} }) => {
      const port = server.port ?? portOfVariable('PORT')?.port;
      isWithoutDesktop = Boolean(server.open) && !canOpenBrowser();
      return {
        server: {
          ...(isWithoutDesktop && { open: false }),
          ...(port !== undefined && { port, strictPort: server.strictPort ?? true }),
          watch: { ignored: [`**/${path.basename(data)}{,-*}/**`, ...PUBLISHED_FILES] },
        },
      };
    },
    configureServer(server) {
      const { root, base, logger } = server.config;
      if (isWithoutDesktop) logger.info('This machine has no desktop to open a browser on: open the address below.');
      const running = startLiveGame(server, {
        folder,
        math: math ?? defaultMath(root),
        port: portOf(options),
        data: { folder: data, isChosen: options.data !== undefined },
      });
      game = running;
      server.middlewares.use(launchPages(running, base));
    },
    resolveId: (id) => (id === PAGE_SCRIPT_ID ? id : undefined),
    load: (id) => (id === PAGE_SCRIPT_ID ? PAGE_SCRIPT : undefined),
    transformIndexHtml(_html, { server }) {
      if (server === undefined) return undefined;
      const src = `${server.config.base}${PAGE_SCRIPT_PATH}`;
      return [{ tag: 'script', attrs: { type: 'module', src }, injectTo: 'head' }];
    },
    async closeBundle() {
      await game?.stop();
    },
  };
}

function portOf({ port }: RoundhouseOptions): ChosenPort | undefined {
  return port === undefined ? portOfVariable('RGS_PORT') : { port, setBy: 'roundhouse({ port: … }) in vite.config' };
}

/**
 * Redirects the page to its launch URL when it is opened without a session, or with one that cannot
 * go on. So Vite's own address stays valid, and a reload after a change of the math leads onto the
 * new version.
 */
function launchPages(game: LiveGame, base: string): Connect.NextHandleFunction {
  return async (req, res, next) => {
    const [pathname = '', search = ''] = (req.originalUrl ?? req.url ?? '').split('?');
    const query = new URLSearchParams(search);
    const isPage = req.method === 'GET' && (pathname === base || pathname === `${base}index.html`);
    if (!isPage || !req.headers.accept?.includes('text/html') || query.get('replay') === 'true') return next();
    const launcher = await game.launchUrl();
    const launchUrl = launcher && (await launchUrlFrom(launcher, { host: req.headers.host ?? '', query }));
    if (!launchUrl || new URL(launchUrl).searchParams.get('sessionID') === query.get('sessionID')) return next();
    res.writeHead(302, { Location: `${pathname}${new URL(launchUrl).search}`, 'Cache-Control': 'no-store' }).end();
  };
}

/**
 * Requests it from the RGS at the name by which the browser knows this machine: a phone gets an
 * rgs_url for it.
 */
async function launchUrlFrom(
  launcher: string,
  { host, query }: { host: string; query: URLSearchParams },
): Promise<string | undefined> {
  const url = new URL(launcher);
  const page = `http://${host}`;
  if (URL.canParse(page) && !isLoopback(new URL(page).hostname)) url.hostname = new URL(page).hostname;
  url.search = query.toString();
  const response = await fetch(url, { redirect: 'manual' }).catch(() => undefined);
  return response?.headers.get('location') ?? undefined;
}
