import type { Logger } from 'pino';
import type { Catalogue } from './games/catalogue.ts';
import { createApp, type LocalRoutes } from './http/app.ts';
import { devRouter } from './http/devRouter.ts';
import type { HttpParts } from './http/httpParts.ts';
import { createMetrics } from './http/metrics.ts';
import { playerRouter } from './http/playerRouter.ts';
import type { Database } from './ledger/database.ts';
import { createLedger } from './ledger/ledger.ts';
import { type Certificate, listen } from './listen.ts';
import { createForcedOutcomes } from './rounds/forcedOutcomes.ts';
import { createDraw } from './rounds/outcomeSource.ts';
import { createSessionDirectory } from './sessions/sessionDirectory.ts';
import { createHouseWallet } from './wallets/houseWallet.ts';

export type ServerOptions = {
  db: Database;
  catalogue: Catalogue;
  log: Logger;
  host: string;
  /** 0 takes any free port. */
  port: number;
  certificate?: Certificate;
  /** Serves the paths for local work: test players of this operator, forced outcomes, the page for games without a front end. */
  local?: { operatorCode: string };
};

export type RunningServer = {
  /** Where it answers, for example http://127.0.0.1:4000. */
  url: string;
  /** What a launch URL carries as rgs_url. */
  rgsUrl: string;
  /** Finishes the requests in flight. The database and the catalogue stay open: they are the caller's. */
  close(): Promise<void>;
};

/** Puts the parts together; nothing else does. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { db, catalogue, log, host, port, certificate } = options;
  const draw = createDraw();
  const forced = options.local && createForcedOutcomes(draw);
  const parts = createParts({ db, catalogue, log, outcomes: forced ?? draw });

  // Test players' launch URLs name the port, which is known only once the server listens.
  let address = { url: '', rgsUrl: '' };
  const localOnly: LocalRoutes = [];
  if (options.local && forced) {
    const { operatorCode } = options.local;
    const launch = {
      get gameHost() {
        return address.url;
      },
      get rgsUrl() {
        return address.rgsUrl;
      },
    };
    localOnly.push(devRouter({ ...parts, forced, operatorCode, launch }), playerRouter(catalogue));
  }

  const listener = await listen({ app: createApp(parts, { localOnly }), host, port, certificate });
  address = addressOf({ host, port: listener.port, isSecure: certificate !== undefined });
  return { ...address, close: () => listener.close() };
}

function createParts({
  db,
  catalogue,
  log,
  outcomes,
}: Pick<HttpParts, 'db' | 'catalogue' | 'log' | 'outcomes'>): HttpParts {
  const ledger = createLedger(db);
  return {
    db,
    ledger,
    catalogue,
    log,
    outcomes,
    wallet: createHouseWallet(ledger),
    sessions: createSessionDirectory(db),
    metrics: createMetrics(),
  };
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const ANY_ADDRESS = new Set(['0.0.0.0', '::']);

function addressOf({ host, port, isSecure }: { host: string; port: number; isSecure: boolean }) {
  const reachable = ANY_ADDRESS.has(host) ? 'localhost' : host;
  const hostAndPort = `${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
  const url = `${isSecure ? 'https' : 'http'}://${hostAndPort}`;
  // Bare for a loopback host, since front ends that prepend a scheme themselves need it so; elsewhere bare would mean https.
  return { url, rgsUrl: LOOPBACK.has(reachable) ? hostAndPort : url };
}
