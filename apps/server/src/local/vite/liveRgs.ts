import type { AddressInfo } from 'node:net';
import type { ViteDevServer } from 'vite';
import { isAnyAddress, LAUNCH_PATH } from '../../base/address.ts';
import type { DevMessage } from '../live.ts';
import { type DevProcess, startDevProcess } from './devProcess.ts';
import type { PageStatus } from './pageStatus.ts';
import { type ChosenPort, portBeside } from './ports.ts';

type DevOptions = { folder: string; data: string; isDataChosen: boolean; port: ChosenPort | undefined };

/** Runs the RGS beside the front end's server, in a process of `roundhouse dev`. */
export function createLiveRgs(server: ViteDevServer, page: PageStatus, options: DevOptions) {
  const { root, logger } = server.config;
  const waiting: (() => void)[] = [];
  let dev: DevProcess | undefined;
  let url: string | undefined;
  let gameID = '';
  let isStopped = false;

  /** Every request that waits for a launch URL gets what is known now. */
  const settle = () => {
    for (const each of waiting.splice(0)) each();
  };
  const fail = (message: string) => {
    page.fail('rgs', { message, stack: '' });
    settle();
  };
  const onMessage = (message: DevMessage) => {
    if (message.kind === 'refused') return fail(message.message);
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
    fail(`roundhouse dev has ended.\n${printed}`);
  };
  return {
    settle,
    isRunning: () => dev !== undefined,
    start() {
      if (dev !== undefined || isStopped) return;
      page.clear('rgs');
      dev = startDevProcess({ root, args: devArguments(server, options), onMessage, onExit });
    },
    /** Returns where the RGS launches the game once it serves; undefined without a start. */
    async launchUrl(): Promise<string | undefined> {
      if (url === undefined && !page.hasError()) await new Promise<void>((resolve) => waiting.push(resolve));
      return url && new URL(`${LAUNCH_PATH}/${encodeURIComponent(gameID)}`, url).href;
    },
    async stop() {
      isStopped = true;
      await dev?.stop();
    },
  };
}

/** When nobody has chosen port and data folder, they give way to a server that has them. */
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

function pageUrl(server: ViteDevServer): string {
  const { host, https } = server.config.server;
  const name = typeof host === 'string' && !isAnyAddress(host) ? host : 'localhost';
  return new URL(server.config.base, `${https ? 'https' : 'http'}://${name}:${pagePort(server)}`).href;
}

function pagePort({ config, httpServer }: ViteDevServer): number {
  return (httpServer?.address() as AddressInfo | null)?.port ?? config.server.port;
}
