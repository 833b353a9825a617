import type { Logger } from 'pino';
import type { Catalogue } from '../games/catalogue.ts';
import type { SharedFigures } from '../http/metrics.ts';
import type { Database, DatabaseOptions } from '../ledger/database.ts';
import { type RunningServer, startServer } from '../server.ts';
import { startPurge } from '../sessions/purge.ts';
import { keepRoundMark } from './options/roundMark.ts';

/** What one process needs to know to serve. Plain data, because it may be another process than the one that was started. */
export type ServeJob = {
  database: DatabaseOptions;
  /** Repeats the credits and rollbacks that are due, notes the last round id, and deletes what has expired. One process of a node does. */
  recovers: boolean;
  folders: readonly string[];
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
  strangersPerSecond?: number;
};

type ServeParts = { db: Database; catalogue: Catalogue; log: Logger; figures?: SharedFigures };

export async function startServing(
  {
    database,
    recovers,
    roundMarkFile,
    host,
    port,
    publicUrl,
    trustedProxies,
    maxConnections,
    drainMs,
    retentionMs,
    strangersPerSecond,
  }: ServeJob,
  parts: ServeParts,
): Promise<RunningServer> {
  const server = await startServer({
    ...parts,
    host,
    port,
    trustedProxies,
    clientLimits: { maxConnections },
    drainMs,
    recovery: { databaseUrl: database.url, repeats: recovers },
    ...(strangersPerSecond !== undefined && { strangersPerSecond }),
    ...(publicUrl !== undefined && { publicUrl }),
  });
  if (!recovers) return server;
  const mark = keepRoundMark({ db: parts.db, file: roundMarkFile, log: parts.log });
  const purge = startPurge({ ...parts, retentionMs });
  return {
    ...server,
    async close() {
      await purge.stop();
      await server.close();
      await mark.stop();
    },
  };
}
