import path from 'node:path';
import type { Logger } from 'pino';
import { readEnvironment } from '../config.ts';
import type { Catalogue } from '../games/catalogue.ts';
import { locateGames } from '../games/locateGame.ts';
import { limitsOf } from '../ledger/connections.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../ledger/database.ts';
import { setOperator } from '../ledger/queries/operators.ts';
import { sealSecrets } from '../ledger/queries/sealSecrets.ts';
import { prepareDataFolder } from '../local/dataFolder.ts';
import { StartError } from '../startError.ts';
import { CleanUp } from './cleanUp.ts';
import { HOUSE_OPERATOR } from './houseOperator.ts';
import { loadGames } from './loadGames.ts';
import { requireOwnHome } from './options/roundMark.ts';
import type { ServeJob } from './serveJob.ts';
import { requireMigrated } from './withDatabase.ts';

const MS_PER_SECOND = 1_000;
const MS_PER_DAY = 86_400_000;
const PERCENT = 100;
/** For requests; the queue of the wallet calls that are repeated has its own. */
const CONNECTIONS_OF_A_NODE = 64;
const MOST_CONNECTIONS = 12;
const MANY_CONNECTIONS = 8;
const FEWEST_CONNECTIONS = 4;

export type ServeOptions = {
  port: number;
  host: string;
  data: string;
  games?: string;
  database?: string;
  logLevel: string;
  publicUrl?: string;
  trustedProxies: string[];
  drainSeconds: number;
  maxConnections: number;
  databaseSeconds: number;
  sessionRetentionDays: number;
  unknownSessionsPerSecond: number;
  workers: number;
  /** In percent. */
  maxRtp: number;
};

export type Prepared = {
  job: ServeJob;
  db: Database;
  catalogue: Catalogue;
  /** Lets go of database and books. May be called more than once. */
  release(): Promise<void>;
};

export type PrepareParts = { log: Logger; signal: AbortSignal; cleanUp: CleanUp };

/** Whatever could keep it from serving is found here, once, and books that are new are indexed. */
export async function prepare(options: ServeOptions, { log, signal, cleanUp }: PrepareParts): Promise<Prepared> {
  const { database: url, games, data, publicUrl } = options;
  if (url === undefined) throw new StartError('No database: set DATABASE_URL, or name one with --database.');
  if (games === undefined) throw new StartError('No games: set ROUNDHOUSE_GAMES, or name a folder with --games.');
  const opened = new CleanUp();
  const release = () => opened.run();
  cleanUp.add(release);

  const limits = limitsOf(options.databaseSeconds * MS_PER_SECOND);
  const { secretsKey } = readEnvironment();
  const database = {
    url,
    limits,
    ...connectionsOfEach(options.workers),
    ...(secretsKey !== undefined && { secretsKey }),
  };
  const db = openDatabase(database);
  opened.add(() => db.$disconnect());
  await requireMigrated(url);
  await setOperator(db, HOUSE_OPERATOR, {});
  // Without the key every call of an operator and to its wallet would fail.
  await sealSecrets(db, { all: false });

  const folders = await gameFolders(games);
  const dataFolder = await prepareDataFolder(path.resolve(data));
  const storeFolder = path.join(dataFolder, 'books');
  const roundMarkFile = path.join(dataFolder, 'last-round.json');
  await requireOwnHome(db, roundMarkFile);
  const catalogue = await loadGames({
    db,
    folders,
    storeFolder,
    signal,
    warn: (message) => log.warn(message),
    maxRtp: options.maxRtp / PERCENT,
  });
  opened.add(catalogue.close);
  signal.throwIfAborted();
  const { host, port, logLevel, trustedProxies, drainSeconds, maxConnections } = options;
  const job: ServeJob = {
    database,
    recovers: true,
    folders,
    storeFolder,
    roundMarkFile,
    logLevel,
    host,
    port,
    trustedProxies,
    maxConnections,
    ...(options.unknownSessionsPerSecond > 0 && { strangersPerSecond: options.unknownSessionsPerSecond }),
    drainMs: drainSeconds * MS_PER_SECOND,
    retentionMs: options.sessionRetentionDays * MS_PER_DAY,
    ...(publicUrl !== undefined && { publicUrl }),
  };
  return { job, db, catalogue, release };
}

/** As many as a process can use, and with many workers fewer, so that a database with its usual 100 is enough for 16 of them. */
function connectionsOfEach(workers: number): Pick<DatabaseOptions, 'connections' | 'anonymousConnections'> {
  const share = Math.floor(CONNECTIONS_OF_A_NODE / workers);
  const total = Math.max(FEWEST_CONNECTIONS, Math.min(MOST_CONNECTIONS, share));
  const anonymousConnections = total < MANY_CONNECTIONS ? 1 : 2;
  return { connections: total - anonymousConnections, anonymousConnections };
}

async function gameFolders(games: string): Promise<string[]> {
  const folders = await locateGames(games).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`The games folder ${games} cannot be read: ${error.code ?? error.message}.`);
  });
  if (folders.length === 0) throw new StartError(`There is no game below ${games}.`);
  return folders;
}
