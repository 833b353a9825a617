import { type Fleet, FleetFileError, fleetOf, readFleetFile } from '@roundhouse/fleet';
import { type CleanUp, createLog, runUntilStopped, StartError, type Stop } from '@roundhouse/service';
import { Command, Option } from 'commander';
import type { Logger } from 'pino';
import type { RunningRouter } from '../../router/startRouter.ts';
import { hostOption, logLevelOption, MAX_PORT, wholeNumber } from '../options/options.ts';
import { drainOption, maxConnectionsOption, trustedProxiesOption } from '../options/serveOptions.ts';

type RouteOptions = {
  fleet?: string;
  host: string;
  port: number;
  logLevel: string;
  trustedProxies: string[];
  cellSeconds: number;
  drainSeconds: number;
  maxConnections: number;
};

const DEFAULT_PORT = 4010;
const DEFAULT_CELL_SECONDS = 5;
const MS_PER_SECOND = 1_000;

export function routeCommand(): Command {
  const command = new Command('route').description(
    'Sends each signed request of an operator to the cell that has its player, session or round, and merges lists of several cells. It checks no signature, opens no database and has no state, so any number of routers may run. SIGHUP reads the fleet file again.',
  );
  const options = [
    new Option('--fleet <file>', 'the fleet file: YAML or JSON').env('ROUNDHOUSE_FLEET'),
    new Option('--port <number>', 'port to listen on; 0 takes a free one')
      .argParser(wholeNumber({ least: 0, most: MAX_PORT }))
      .env('ROUNDHOUSE_ROUTER_PORT')
      .default(DEFAULT_PORT),
    hostOption(),
    logLevelOption('info'),
    trustedProxiesOption(),
    new Option(
      '--cell-seconds <number>',
      'time for the response of a cell; giving grants, creating campaigns and games may take 65 s',
    )
      .argParser(wholeNumber({ least: 1, most: 60 }))
      .env('ROUNDHOUSE_CELL_SECONDS')
      .default(DEFAULT_CELL_SECONDS),
    drainOption(),
    maxConnectionsOption(),
  ];
  for (const option of options) command.addOption(option);
  return command.action((given: RouteOptions) =>
    runUntilStopped((stop, cleanUp) => run(given, { ...stop, cleanUp }), { signals: ['SIGINT', 'SIGTERM'] }),
  );
}

async function run(options: RouteOptions, { stopped, cleanUp }: Stop & { cleanUp: CleanUp }): Promise<void> {
  const { fleet: file } = options;
  if (file === undefined) throw new StartError('No fleet: set ROUNDHOUSE_FLEET, or name a file with --fleet.');
  const log = createLog({ level: options.logLevel, pretty: false });
  const fleet = read(file);
  const { startRouter } = await import('../../router/startRouter.ts');
  const router = await startRouter({
    fleet,
    log,
    host: options.host,
    port: options.port,
    trustedProxies: options.trustedProxies,
    cellTimeoutMs: options.cellSeconds * MS_PER_SECOND,
    drainMs: options.drainSeconds * MS_PER_SECOND,
    limits: { maxConnections: options.maxConnections },
  });
  cleanUp.add(router.close);
  rereadAtHangUp({ file, fleet, router, log });
  log.info({ url: router.url, fleetVersion: fleet.version, cells: fleet.cells.map(({ name }) => name) }, 'routing');
  log.info({ signal: await stopped }, 'finishing what is in flight');
}

/** A file that is wrong, or that must not follow the one before it, changes nothing. */
function rereadAtHangUp(deps: { file: string; fleet: Fleet; router: RunningRouter; log: Logger }): void {
  const { file, router, log } = deps;
  let { fleet } = deps;
  process.on('SIGHUP', () => {
    try {
      fleet = read(file, fleet);
    } catch (error) {
      if (!(error instanceof FleetFileError)) throw error;
      router.refused();
      log.error(
        { issues: error.message.split('\n'), fleetVersion: fleet.version },
        'the fleet file is refused; the one before it stays',
      );
      return;
    }
    router.replace(fleet);
    log.info(
      { fleetVersion: fleet.version, cells: fleet.cells.map(({ name }) => name) },
      'the fleet file is read again',
    );
  });
}

/** A router opens no database, so it needs none of their passwords. */
function read(file: string, before?: Fleet): Fleet {
  return fleetOf(readFleetFile(file, undefined, before));
}
