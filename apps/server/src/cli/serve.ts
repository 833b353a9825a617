import path from 'node:path';
import { Command, Option } from 'commander';
import { readEnvironment } from '../config.ts';
import { prepareDataFolder } from '../dev/dataFolder.ts';
import { locateGamesBelow } from '../games/locateGame.ts';
import { openDatabase } from '../ledger/database.ts';
import { setOperator } from '../ledger/queries/operators.ts';
import { startServer } from '../server.ts';
import { StartError } from '../startError.ts';
import type { CleanUp } from './cleanUp.ts';
import { HOUSE_OPERATOR } from './houseOperator.ts';
import { loadGames } from './loadGames.ts';
import { createLog } from './log.ts';
import { dataOption, hostOption, logLevelOption, portOption } from './options.ts';
import { publicUrlOption } from './publicUrlOption.ts';
import { drainOption, trustedProxiesOption } from './trafficOptions.ts';
import { runUntilStopped, type Stop } from './untilStopped.ts';
import { requireMigrated } from './withDatabase.ts';

const MS_PER_SECOND = 1_000;

type ServeOptions = {
  port: number;
  host: string;
  data: string;
  games?: string;
  database?: string;
  logLevel: string;
  publicUrl?: string;
  trustedProxies: string[];
  drainSeconds: number;
};

export function serveCommand(): Command {
  const { databaseUrl, gamesFolder } = readEnvironment();
  return new Command('serve')
    .summary('serve games in production')
    .description(
      'Serves every game below the games folder (<game>/game.json or <game>/<version>/game.json) on the PostgreSQL of DATABASE_URL, ' +
        'which `roundhouse migrate` has brought up to date. None of the paths for local work exist.',
    )
    .addOption(new Option('--database <url>', 'postgresql://…').default(databaseUrl, 'DATABASE_URL'))
    .addOption(new Option('--games <folder>', 'folder of games').default(gamesFolder, 'ROUNDHOUSE_GAMES'))
    .addOption(portOption())
    .addOption(hostOption())
    .addOption(dataOption())
    .addOption(logLevelOption('info'))
    .addOption(publicUrlOption())
    .addOption(trustedProxiesOption())
    .addOption(drainOption())
    .action(serve);
}

function serve(options: ServeOptions): Promise<void> {
  return runUntilStopped((stop, cleanUp) => run(options, { ...stop, cleanUp }));
}

async function run(
  { database, games, data, host, port, logLevel, publicUrl, trustedProxies, drainSeconds }: ServeOptions,
  { stopped, signal, cleanUp }: Stop & { cleanUp: CleanUp },
): Promise<void> {
  if (database === undefined) throw new StartError('No database: set DATABASE_URL, or name one with --database.');
  if (games === undefined) throw new StartError('No games: set ROUNDHOUSE_GAMES, or name a folder with --games.');
  const log = createLog({ level: logLevel, pretty: false });

  const db = openDatabase({ url: database });
  cleanUp.add(() => db.$disconnect());
  await requireMigrated(database);
  await setOperator(db, HOUSE_OPERATOR, {});

  const folders = await gameFolders(games);
  const storeFolder = path.join(await prepareDataFolder(path.resolve(data)), 'books');
  const catalogue = await loadGames({ db, folders, storeFolder, signal, warn: (message) => log.warn(message) });
  cleanUp.add(catalogue.close);
  signal.throwIfAborted();
  const server = await startServer({
    db,
    recovery: { databaseUrl: database },
    catalogue,
    log,
    host,
    port,
    ...(publicUrl !== undefined && { publicUrl }),
    trustedProxies,
    drainMs: drainSeconds * MS_PER_SECOND,
  });
  cleanUp.add(server.close);
  log.info({ url: server.url, games: catalogue.games.map(({ gameID, version }) => `${gameID}/${version}`) }, 'serving');
  log.info({ signal: await stopped }, 'finishing what is in flight');
}

async function gameFolders(games: string): Promise<string[]> {
  const folders = await locateGamesBelow(games).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`The games folder ${games} cannot be read: ${error.code ?? error.message}.`);
  });
  if (folders.length === 0) throw new StartError(`There is no game below ${games}.`);
  return folders;
}
