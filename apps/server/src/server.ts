import { setTimeout as wait } from 'node:timers/promises';
import type { ClientLimits } from '@roundhouse/service';
import { type Certificate, expressMessages, listen } from '@roundhouse/service';
import type { Logger } from 'pino';
import { type Address, listeningAddress, publicAddress } from './address.ts';
import type { Catalogue } from './games/catalogue.ts';
import { createApp, type LocalRoutes } from './http/app.ts';
import { createErrorLog } from './http/errorLog.ts';
import type { HttpParts } from './http/httpParts.ts';
import { createMetrics, type SharedMetrics } from './http/metrics.ts';
import { createUnreadableAnswer } from './http/unreadableRequest.ts';
import type { Database } from './ledger/database.ts';
import { createLedger } from './ledger/ledger.ts';
import { createLookUps } from './ledger/lookUps.ts';
import { createForcedOutcomes } from './local/forcedOutcomes.ts';
import { createGameFaults } from './local/gameFaults.ts';
import { devRouter } from './local/localRouter.ts';
import { playerRouter } from './local/playerRouter.ts';
import { createDraw } from './play/outcomeSource.ts';
import { createSessionDirectory } from './sessions/sessionDirectory.ts';
import { createSessionVerification } from './sessions/sessionVerification.ts';
import { createStrangers } from './sessions/strangers.ts';
import { createHouseWallet } from './wallets/houseWallet.ts';
import type { RecoveryOptions } from './wallets/seamless/recovery.ts';
import { type RunningSeamlessWallet, startSeamlessWallet } from './wallets/seamless/seamlessWallet.ts';
import type { Failpoint } from './wallets/seamless/transactionSender.ts';

export type ServerOptions = {
  db: Database;
  catalogue: Catalogue;
  log: Logger;
  host: string;
  /** 0 takes any free port. */
  port: number;
  certificate?: Certificate;
  /** Address for browsers, without a slash at its end, when it is not the one that the server listens on. */
  publicUrl?: string;
  /** Without it this process gives up no debit and repeats no credit or rollback: for tests of the house wallet. */
  recovery?: RecoveryOptions;
  /** Called at each step of a wallet transaction: for tests that stop the process there. */
  failpoint?: (name: Failpoint) => void;
  /** Serves the paths for local work: test players of this operator, forced outcomes, the page for games without a front end. */
  local?: { operatorCode: string };
  /** Proxies whose X-Forwarded-For says who the client is: addresses, CIDR ranges, `loopback`; none when left out. */
  trustedProxies?: readonly string[];
  /** Of connections to this process. */
  clientLimits?: Partial<ClientLimits>;
  /** Sessions that are not known here, of one address in a second, about which operators are asked; all of them when left out. */
  strangersPerSecond?: number;
  /** How long close() goes on answering, not ready any more, before it closes the port; 0 when left out. In milliseconds. */
  drainMs?: number;
  /** Of the processes that serve together; without it /metrics tells of this process. */
  sharedMetrics?: SharedMetrics;
};

export type RunningServer = {
  /** Where it answers, for example http://127.0.0.1:4000. */
  url: string;
  /** What a launch URL carries as rgs_url. */
  rgsUrl: string;
  /** Is not ready from now on, and finishes the requests in flight. The database and the catalogue stay open: they are the caller's. */
  close(): Promise<void>;
};

/** Puts the parts together; nothing else does. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { db, catalogue, log, host, port, certificate, publicUrl, trustedProxies = [], drainMs = 0 } = options;
  const draw = createDraw();
  const forced = options.local && createForcedOutcomes(draw);
  const metrics = createMetrics(db, options.sharedMetrics);
  const ledger = createLedger(db);
  const seamless = await startSeamlessWallet({ ...options, ledger, observe: metrics.observeWalletRequest });
  let draining = false;
  const isDraining = () => draining;
  // Launch URLs name the port, which is known only once the server listens.
  let address: Address = { url: '', rgsUrl: '' };
  const launch = {
    get gameHost() {
      return address.url;
    },
    get rgsUrl() {
      return address.rgsUrl;
    },
  };
  const parts = createParts({
    db,
    catalogue,
    log,
    outcomes: forced ?? draw,
    metrics,
    launch,
    isDraining,
    ledger,
    seamless,
    strangersPerSecond: options.strangersPerSecond,
  });

  const localOnly: LocalRoutes = [];
  const faults = options.local && createGameFaults();
  if (options.local && forced && faults) {
    const { operatorCode } = options.local;
    localOnly.push(devRouter({ ...parts, forced, faults, operatorCode }), playerRouter(catalogue));
  }

  const app = createApp(parts, { localOnly, trustedProxies, ...(faults && { faults: faults.handle }) });
  const listener = await listen({
    app,
    messages: expressMessages(app),
    unreadable: createUnreadableAnswer(log),
    log,
    limits: options.clientLimits,
    host,
    port,
    certificate,
  }).catch(async (error: unknown) => {
    await seamless.stop();
    throw error;
  });
  const listening = listeningAddress({ host, port: listener.port, isSecure: certificate !== undefined });
  address = publicUrl === undefined ? listening : publicAddress(publicUrl);
  return {
    url: listening.url,
    rgsUrl: address.rgsUrl,
    async close() {
      draining = true;
      listener.retire();
      await wait(drainMs);
      await listener.close();
      await seamless.stop();
    },
  };
}

type PartsOptions = Omit<HttpParts, 'verifySession' | 'sessions' | 'lookUps' | 'strangers' | 'logError'> & {
  seamless: RunningSeamlessWallet;
  strangersPerSecond: number | undefined;
};

/** What the routes work with, of what is opened once for a process. */
export function createParts({ seamless, strangersPerSecond, ...parts }: PartsOptions): HttpParts {
  const lookUps = createLookUps(parts.db);
  return {
    ...parts,
    verifySession: createSessionVerification(seamless.client),
    lookUps,
    sessions: createSessionDirectory(lookUps, { house: createHouseWallet(parts.ledger), seamless: seamless.wallet }),
    strangers: createStrangers(strangersPerSecond),
    logError: createErrorLog(parts.log),
  };
}
