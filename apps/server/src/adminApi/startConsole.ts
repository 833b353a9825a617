import { limitsOf } from '@roundhouse/service';
import type { Logger } from 'pino';
import { openDatabase } from '../ledger/database.ts';
import type { Access } from './access/caller.ts';
import { currentActor } from './actor.ts';
import { type AdminServer, startAdminServer } from './adminServer.ts';

/** Options or the environment give these. */
export type ConsoleOptions = {
  port: number;
  host: string;
  /** Browsers reach the console at this address, when it is behind a proxy. */
  url?: string | undefined;
  twoPerson: boolean;
  /** A session ends after so many minutes without a request. */
  idleMinutes: number;
  /** A session ends after so many hours, whatever happens in it. */
  sessionHours: number;
  /** After three wrong tries in a row nobody signs in as that user for so many minutes. */
  lockoutMinutes: number;
};

export type ConsoleJob = ConsoleOptions & {
  database: string;
  secretsKey: string;
  players: { url: string; publicUrl: string };
};

const CONNECTIONS = 4;
/** Reports may take longer than what a player waits for. */
const STATEMENT_MS = 60_000;

/** Starts the console with connections of its own: it takes none of those for players. */
export async function startConsole(job: ConsoleJob, { log }: { log: Logger }): Promise<AdminServer> {
  const { database, secretsKey, players, twoPerson, host, port, url } = job;
  const db = openDatabase({
    ...{ url: database, secretsKey, connections: CONNECTIONS, anonymousConnections: 1 },
    actor: currentActor,
    limits: limitsOf(STATEMENT_MS),
  });
  const createAccess = (_origin: string): Access => {
    throw new Error('no access yet');
  };
  const server = await startAdminServer({ db, log, players, twoPerson, host, port, url, createAccess }).catch(
    async (error: unknown) => {
      await db.$disconnect();
      throw error;
    },
  );
  return {
    url: server.url,
    async close() {
      await server.close();
      await db.$disconnect();
    },
  };
}
