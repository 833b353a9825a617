import path from 'node:path';
import type { ConfiguredCurrency } from '@roundhouse/contract';
import { CleanUp, limitsOf, StartError } from '@roundhouse/service';
import type { Logger } from 'pino';
import type { Catalogue } from '../games/catalogue.ts';
import { locateGames } from '../games/locateGame.ts';
import type { SharedMetrics } from '../http/monitoring.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../ledger/database.ts';
import { sealSecrets } from '../ledger/queries/operatorSecrets.ts';
import { setOperator } from '../ledger/queries/operators.ts';
import { prepareDataFolder } from '../local/dataFolder.ts';
import { type RunningServer, startServer } from '../server.ts';
import { HOUSE_OPERATOR } from '../sessions/launchSession.ts';
import { startPurge } from '../sessions/purge.ts';
import { loadGames } from './loadGames.ts';
import { keepRoundMark, requireOwnHome } from './roundMark.ts';
import type { ServeOptions } from './serveOptions.ts';
import { requireMigrated, secretsKeyOfEnvironment } from './withDatabase.ts';

const MS_PER_SECOND = 1_000;
const MS_PER_DAY = 86_400_000;
const PERCENT = 100;
const CONNECTIONS_OF_A_NODE = 64;
const MOST_CONNECTIONS = 12;
const MANY_CONNECTIONS = 8;
const FEWEST_CONNECTIONS = 4;

/** The job of one process of `serve`. Plain data, because the process may be a worker. */
export type ServeJob = {
  database: DatabaseOptions;
  /**
   * Repeats the credits and rollbacks that are due, notes the last round id, and deletes what has
   * expired. One process of a node does.
   */
  recovers: boolean;
  folders: readonly string[];
  currencies: readonly ConfiguredCurrency[];
  demo: boolean;
  storeFolder: string;
  /** Where the last round id that this node has seen is noted. */
  roundMarkFile: string;
  logLevel: string;
  host: string;
  /** 0 takes any free port. */
  port: number;
  publicUrl?: string;
  trustedProxies: readonly string[];
  maxConnections: number;
  drainMs: number;
  /** How long sessions and launches are kept after they have expired, in milliseconds. */
  retentionMs: number;
  unknownSessionsPerSecond?: number;
};

export type Prepared = {
  job: ServeJob;
  db: Database;
  catalogue: Catalogue;
  /** Closes database and books. May be called more than once. */
  release(): Promise<void>;
};

export type PrepareDeps = { log: Logger; signal: AbortSignal; cleanUp: CleanUp };

/** Finds, once, everything that could keep the node from serving, and indexes new books. */
export async function prepare(options: ServeOptions, { log, signal, cleanUp }: PrepareDeps): Promise<Prepared> {
  const { database: url, games, data, publicUrl } = options;
  if (url === undefined) throw new StartError('No database: set DATABASE_URL, or name one with --database.');
  if (games === undefined) throw new StartError('No games: set ROUNDHOUSE_GAMES, or name a folder with --games.');
  const opened = new CleanUp();
  const release = () => opened.run();
  cleanUp.add(release);

  const limits = limitsOf(options.databaseSeconds * MS_PER_SECOND);
  const secretsKey = secretsKeyOfEnvironment();
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
  // Without the key every request of an operator and to its wallet would fail.
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
    currencies: options.currencies,
  });
  opened.add(catalogue.close);
  signal.throwIfAborted();
  const { host, port, logLevel, trustedProxies, drainSeconds, maxConnections } = options;
  const job: ServeJob = {
    database,
    recovers: true,
    folders,
    currencies: options.currencies,
    demo: options.demo,
    storeFolder,
    roundMarkFile,
    logLevel,
    host,
    port,
    trustedProxies,
    maxConnections,
    ...(options.unknownSessionsPerSecond > 0 && { unknownSessionsPerSecond: options.unknownSessionsPerSecond }),
    drainMs: drainSeconds * MS_PER_SECOND,
    retentionMs: options.sessionRetentionDays * MS_PER_DAY,
    ...(publicUrl !== undefined && { publicUrl }),
  };
  return { job, db, catalogue, release };
}

/**
 * As many as a process can use, and with many workers fewer, so that a database with its usual 100
 * is enough for 16 of them.
 */
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

type ServeDeps = { db: Database; catalogue: Catalogue; log: Logger; sharedMetrics?: SharedMetrics };

export async function startServing(
  {
    recovers,
    roundMarkFile,
    host,
    port,
    publicUrl,
    trustedProxies,
    maxConnections,
    drainMs,
    retentionMs,
    unknownSessionsPerSecond,
    demo,
  }: ServeJob,
  deps: ServeDeps,
): Promise<RunningServer> {
  const server = await startServer({
    ...deps,
    host,
    port,
    trustedProxies,
    clientLimits: { maxConnections },
    drainMs,
    recovery: { retries: recovers },
    demo,
    ...(unknownSessionsPerSecond !== undefined && { unknownSessionsPerSecond }),
    ...(publicUrl !== undefined && { publicUrl }),
  });
  if (!recovers) return server;
  const mark = keepRoundMark({ db: deps.db, file: roundMarkFile, log: deps.log });
  const purge = startPurge({ ...deps, retentionMs });
  return {
    ...server,
    async close() {
      await purge.stop();
      await server.close();
      await mark.stop();
    },
  };
}
