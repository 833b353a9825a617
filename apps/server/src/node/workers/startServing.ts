import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type CleanUp, limitsOf, StartError } from '@roundhouse/service';
import type { Logger } from 'pino';
import { listensAt } from '../../base/address.ts';
import { MS_PER_DAY } from '../../base/durations.ts';
import { stopWith } from '../../base/reason.ts';
import { startExpiry } from '../../rounds/freeRounds/expiry.ts';
import { loadGames } from '../../rounds/games/loadGames.ts';
import { locateGames } from '../../rounds/games/locateGame.ts';
import { startCompletion } from '../../rounds/play/completion.ts';
import { HOUSE_OPERATOR } from '../../rounds/sessions/launchSession.ts';
import { startPurge } from '../../rounds/sessions/purge.ts';
import type { RoundStops } from '../../rounds/sessions/roundStops.ts';
import { type DatabaseOptions, openDatabase } from '../../store/database/database.ts';
import { keepRoundMark, requireOwnHome } from '../../store/database/roundMark.ts';
import { secretsKeyOfEnvironment } from '../../store/database/secretKeys.ts';
import {
  requireCellIds,
  requireMigrated,
  requireSeedKey,
  requireSynchronousStandby,
} from '../../store/database/startChecks.ts';
import { sealSecrets } from '../../store/operators/operatorSecrets.ts';
import { setOperator } from '../../store/operators/operators.ts';
import { watchChain } from '../../watch/audit/chainWatch.ts';
import { startNodeEvents } from '../../watch/audit/nodeEvents.ts';
import type { SharedMetrics } from '../../watch/metrics/metrics.ts';
import { startRtpWatch } from '../../watch/rtp/rtpCheck.ts';
import { startTracing } from '../../watch/tracing/startTracing.ts';
import { prepareDataFolder } from '../dataFolder/dataFolder.ts';
import { startServer } from '../server.ts';
import type { Served, WorkerJob } from './messages.ts';

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

const MS_PER_SECOND = 1_000;
const PERCENT = 100;
const CONNECTIONS_OF_A_NODE = 64;
const MOST_CONNECTIONS = 12;
const MANY_CONNECTIONS = 8;
const FEWEST_CONNECTIONS = 4;

type Serving = {
  url: string;
  serves: Served;
  /** Makes the process not ready, and finishes the requests in flight. */
  close(): Promise<void>;
};

type ServingDeps = {
  log: Logger;
  sharedMetrics: SharedMetrics;
  roundStops: RoundStops;
  signal: AbortSignal;
  cleanUp: CleanUp;
};

/**
 * Opens database and games, and serves them. The first worker of a node finds everything that could
 * keep the node from serving, and indexes new books. The other workers then load in milliseconds.
 */
export async function startServing(
  { options, recovers, serves: known }: WorkerJob,
  { log, sharedMetrics, roundStops, signal, cleanUp }: ServingDeps,
): Promise<Serving> {
  const tracing = await startTracing({ log, version });
  const secretsKey = secretsKeyOfEnvironment();
  // The parent of every worker is the primary of its node.
  const node = `${os.hostname()}#${process.ppid}`;
  const db = openDatabase({
    url: options.database,
    actor: `node:${node}`,
    node,
    limits: limitsOf(options.databaseSeconds * MS_PER_SECOND),
    ...connectionsOfEach(options.workers),
    ...(secretsKey !== undefined && { secretsKey }),
  });
  cleanUp.add(() => db.$disconnect());
  if (known === undefined) {
    await requireMigrated(options.database);
    await requireCellIds(db);
    if (options.requireSync) await requireSynchronousStandby(db);
    await setOperator(db, HOUSE_OPERATOR, {});
    // Without the key, every request of an operator, and every request to its wallet, would fail.
    await sealSecrets(db, { all: false });
    await requireSeedKey(db, secretsKey);
  }
  const folders = known?.folders ?? (await gameFolders(options.games));
  const dataFolder = await prepareDataFolder(path.resolve(options.data));
  const roundMarkFile = path.join(dataFolder, 'last-round.json');
  if (known === undefined) await requireOwnHome(db, roundMarkFile);
  const catalogue = await loadGames({
    db,
    folders,
    storeFolder: path.join(dataFolder, 'books'),
    signal,
    currencies: options.currencies,
    ...(known === undefined
      ? { maxRtp: options.maxRtp / PERCENT, warn: (message) => log.warn(message) }
      : { warn: () => {} }),
  });
  cleanUp.add(catalogue.close);
  // A game may have been published just before.
  if (known === undefined) await requireSeedKey(db, secretsKey);
  signal.throwIfAborted();
  const games = catalogue.games.map(({ gameID, version, math: { sha256 } }) => ({ gameID, version, sha256 }));
  // The games may have changed since the first worker loaded them. Then this worker would serve
  // other games than the others.
  if (known !== undefined && !isDeepStrictEqual(games, known.games))
    throw new StartError('The games on the disk are not those that the node was started with: restart it.');
  const { host, port, trustedProxies, maxConnections, drainSeconds, demo, publicUrl } = options;
  const { unknownSessionsPerSecond } = options;
  const { settings } = options;
  const events = startNodeEvents({ db, log, ...(recovers && { node: { name: node, version, settings } }) });
  cleanUp.add(events.stop);
  const { auditSeconds, requireSync } = options;
  const chain =
    recovers && auditSeconds > 0 ? watchChain({ db, log, pauseMs: auditSeconds * MS_PER_SECOND }) : undefined;
  if (chain !== undefined) cleanUp.add(chain.stop);
  const server = await startServer({
    db,
    nodeReads: recovers ? { requireSync, dataFolder, eventChain: chain?.state } : undefined,
    events,
    catalogue,
    log,
    sharedMetrics,
    roundStops,
    tracing,
    host,
    port,
    trustedProxies,
    clientLimits: { maxConnections },
    drainMs: drainSeconds * MS_PER_SECOND,
    recovery: { retries: recovers },
    demo,
    ...(unknownSessionsPerSecond > 0 && { unknownSessionsPerSecond }),
    ...(publicUrl !== undefined && { publicUrl }),
  });
  events.serving(listensAt(host, server.url));
  const mark = recovers ? keepRoundMark({ db, file: roundMarkFile, log }) : undefined;
  const retentionMs = options.sessionRetentionDays * MS_PER_DAY;
  const sweeps = recovers
    ? [
        startPurge({ db, log, retentionMs }),
        startCompletion({ db, log }),
        startExpiry({ db, log }),
        startRtpWatch({ db, log }),
      ]
    : [];
  return {
    url: server.url,
    serves: { folders, games },
    async close() {
      await Promise.all([server.close(), chain?.stop(), ...sweeps.map((sweep) => sweep.stop())]);
      await mark?.stop();
      await events.stop();
    },
  };
}

/**
 * Returns the connections of one process: as many as it can use, and fewer with many workers, so
 * that a database with its usual 100 is enough for 16 of them.
 */
function connectionsOfEach(workers: number): Pick<DatabaseOptions, 'connections' | 'anonymousConnections'> {
  const share = Math.floor(CONNECTIONS_OF_A_NODE / workers);
  const total = Math.max(FEWEST_CONNECTIONS, Math.min(MOST_CONNECTIONS, share));
  const anonymousConnections = total < MANY_CONNECTIONS ? 1 : 2;
  return { connections: total - anonymousConnections, anonymousConnections };
}

async function gameFolders(games: string): Promise<string[]> {
  const folders = await locateGames(games).catch(stopWith(`The games folder ${games} cannot be read`));
  if (folders.length === 0) throw new StartError(`There is no game below ${games}.`);
  return folders;
}
