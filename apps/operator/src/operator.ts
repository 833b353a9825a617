import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createUnreadableResponse, expressMessages, listen } from '@roundhouse/service';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { createEngineRgs } from './engine/engineRgs.ts';
import { createEngineFaults } from './engine/engineRouter.ts';
import { SESSION_MS } from './engine/settings.ts';
import { createApp, type HttpDeps } from './http/app.ts';
import type { OpenStreams } from './http/statementStream.ts';
import { createWalletFaults } from './http/walletRouter.ts';
import { createLedger, migrate, openDatabase } from './ledger/database.ts';
import { createRgsClient, type RgsClient } from './rgsClient.ts';

export type OperatorOptions = Omit<Config, 'logLevel'> & {
  log: Logger;
  /** The timeout of sessions in milliseconds. The default is one hour. */
  sessionTimeoutMs?: number;
  /** The default is the folder of this package. */
  pageFolder?: string;
};

/** The lobby shows `text` unchanged, such as "being built, 20 s". */
export type BeingBuilt = { title: string; text: string; page?: string };

export type RunningOperator = {
  /** It is for example http://127.0.0.1:4001. The wallet is at `<url>/wallet`. */
  url: string;
  /** Sets the games that are still being built. `npm start` builds them while the lobby is open. */
  setBeingBuilt(parts: readonly BeingBuilt[]): void;
  /** Finishes the requests in flight, then closes the connections to the database. */
  close(): Promise<void>;
};

const NAME = 'The Reference Lobby';
const SESSION_TIMEOUT_MS = 3_600_000;
const MAX_CONNECTIONS = 1_000;
// The path is the same from src, where tests run, and from dist.
const PAGE_FOLDER = fileURLToPath(new URL('../dist/lobby/', import.meta.url));

/** Migrates the operator's schema, opens the database and listens. */
export async function startOperator(options: OperatorOptions): Promise<RunningOperator> {
  const { log, listenHost, databaseUrl } = options;
  const applied = await migrate(databaseUrl);
  if (applied.length > 0) log.info({ applied }, 'migrated');
  const db = openDatabase(databaseUrl);
  try {
    const deps = createDeps(options, db);
    const app = createApp(deps);
    const listener = await listen({
      app,
      messages: expressMessages(app),
      unreadable: createUnreadableResponse({ log }),
      log,
      limits: { maxConnections: MAX_CONNECTIONS },
      host: listenHost,
      port: options.listenPort,
      setBy: { host: 'ROUNDHOUSE_OPERATOR_LISTEN_HOST', port: 'ROUNDHOUSE_OPERATOR_LISTEN_PORT' },
    });
    return {
      url: urlOf(listenHost, listener.port),
      setBeingBuilt(parts) {
        // A page is not a game of the lobby: the game server shows it.
        deps.beingBuilt = parts.flatMap(({ title, text, page }) => (page === undefined ? [{ title, text }] : []));
      },
      async close() {
        const closed = listener.close();
        for (const end of deps.streams) end();
        await closed;
        await db.$disconnect();
      },
    };
  } catch (error) {
    await db.$disconnect();
    throw error;
  }
}

function createDeps(options: OperatorOptions, db: ReturnType<typeof openDatabase>): HttpDeps {
  const { log, code, secrets, rgsUrl, gameOrigins, bench, listenHost, blockedCountries, engine } = options;
  const { pageFolder = PAGE_FOLDER } = options;
  const streams: OpenStreams = new Set();
  const ledger = createLedger(db);
  return {
    ledger,
    rules: {
      sessionTimeoutMs: engine ? SESSION_MS : (options.sessionTimeoutMs ?? SESSION_TIMEOUT_MS),
      blockedCountries: blockedCountries.join(),
    },
    rgs: rgsOf(options),
    operator: { code, name: NAME },
    log,
    faults: engine ? createEngineFaults(ledger) : createWalletFaults({ ledger }),
    secrets,
    engine,
    rgsUrl,
    gameOrigins,
    hosts: [listenHost],
    bench,
    pageFolder: existsSync(pageFolder) ? pageFolder : undefined,
    streams,
    beingBuilt: [],
  };
}

function rgsOf({ rgsUrl: url, code, secrets: [secret], engine }: OperatorOptions): RgsClient {
  if (engine !== undefined) return createEngineRgs({ url, code, keys: engine });
  if (secret === undefined) throw new Error('an operator without a secret cannot sign');
  return createRgsClient({ url, code, secret });
}

const ANY_ADDRESS = new Set(['0.0.0.0', '::']);

function urlOf(host: string, port: number): string {
  const reachable = ANY_ADDRESS.has(host) ? 'localhost' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
