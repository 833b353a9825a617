import { type ConfiguredCurrency, learnCurrency } from '@roundhouse/contract';
import { limitsOf } from '@roundhouse/service';
import type { Logger } from 'pino';
import { MS_PER_HOUR, MS_PER_MINUTE } from '../../base/durations.ts';
import { openDatabase } from '../../store/database/database.ts';
import type { OidcOptions } from '../access/accessOptions.ts';
import { DEFAULT_ACCESS } from '../access/accessOptions.ts';
import { createAccess } from '../access/createAccess.ts';
import { currentActor } from './actor.ts';
import { type AdminServer, startAdminServer } from './adminServer.ts';

/** Options or the environment give these. */
export type ConsoleOptions = {
  port: number;
  host: string;
  /** Browsers reach the console at this address, when it is behind a proxy. */
  url?: string | undefined;
  twoPerson: boolean;
  /** Users who sign in with a password must have an authenticator app. */
  secondFactor: boolean;
  /** The console takes the address of a user from the X-Forwarded-For of these proxies. */
  trustedProxies?: readonly string[];
  /** A session ends after this time without a request. */
  idleMinutes: number;
  /** A session ends after this time, whatever happens in it. */
  sessionHours: number;
  /** Time for which three wrong tries in a row keep their address out of the account. */
  lockoutMinutes: number;
  /** Single sign-on. */
  oidc?: OidcOptions | undefined;
};

export type ConsoleJob = ConsoleOptions & {
  /** The console takes the next free port when that one is in use. */
  orNextPort?: boolean;
  database: string;
  secretsKey: string;
  players: { url: string; publicUrl: string };
  /** The server's settings add these currencies to those of ISO 4217. */
  currencies?: readonly ConfiguredCurrency[];
};

const CONNECTIONS = 4;
const REPORT_CONNECTIONS = 2;
/** Reports may take longer than what a player waits for. */
const STATEMENT_MS = 60_000;
/**
 * Time in milliseconds for which long work waits for one of its connections: others of its kind may
 * come first.
 */
const REPORT_WAIT_MS = 120_000;

/**
 * Starts the console with separate connections: it takes none of those for players. Long work has a
 * separate pool, so a report keeps nobody else waiting (decision 029).
 */
export async function startConsole(job: ConsoleJob, { log }: { log: Logger }): Promise<AdminServer> {
  const { database, secretsKey, players, currencies = [], twoPerson, secondFactor, trustedProxies } = job;
  const { host, port, url, orNextPort } = job;
  // The words of a request that waits for a second user have amounts.
  for (const currency of currencies) learnCurrency(currency);
  const limits = limitsOf(STATEMENT_MS);
  const shared = { url: database, secretsKey, anonymousConnections: 1, actor: currentActor };
  const db = openDatabase({ ...shared, connections: CONNECTIONS, limits });
  const reportsDb = openDatabase({
    ...shared,
    connections: REPORT_CONNECTIONS,
    limits: { ...limits, connectMs: REPORT_WAIT_MS },
  });
  const disconnect = () => Promise.all([db.$disconnect(), reportsDb.$disconnect()]);
  const createAccessAt = (consoleUrl: string) => {
    const { idleTimeoutMs, lifetimeMs, lockMs } = periodsOf(job);
    const options = { ...DEFAULT_ACCESS, consoleUrl, idleTimeoutMs, lifetimeMs, lockMs, oidc: job.oidc };
    return createAccess({ db, log, secretsKey, options });
  };
  const server = await startAdminServer({
    db,
    reportsDb,
    log,
    players,
    currencies,
    twoPerson,
    secondFactor,
    host,
    port,
    orNextPort,
    trustedProxies,
    url,
    createAccess: createAccessAt,
  }).catch(async (error: unknown) => {
    await disconnect();
    throw error;
  });
  return {
    url: server.url,
    port: server.port,
    async close() {
      await server.close();
      await disconnect();
    },
  };
}

function periodsOf({ idleMinutes, sessionHours, lockoutMinutes }: ConsoleOptions) {
  const lifetimeMs = sessionHours * MS_PER_HOUR;
  return {
    lifetimeMs,
    idleTimeoutMs: Math.min(idleMinutes * MS_PER_MINUTE, lifetimeMs),
    lockMs: lockoutMinutes * MS_PER_MINUTE,
  };
}
