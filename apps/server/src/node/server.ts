import { setTimeout as wait } from 'node:timers/promises';
import { createCryptoRandom, type Random64 } from '@roundhouse/math';
import {
  type Certificate,
  type ClientLimits,
  createUnreadableResponse,
  expressMessages,
  listen,
  type WriterChange,
} from '@roundhouse/service';
import type { Logger } from 'pino';
import { type Address, listeningAddress, publicAddress } from '../base/address.ts';
import { CROSS_ORIGIN_LINES } from '../base/http/commonHeaders.ts';
import { createLedger } from '../ledger/ledger.ts';
import type { Catalogue } from '../rounds/games/catalogue.ts';
import { startRandomHealth } from '../rounds/play/randomHealth.ts';
import { createRoundStops, type RoundStops } from '../rounds/sessions/roundStops.ts';
import type { RecoveryOptions } from '../rounds/wallets/seamless/recovery.ts';
import { startSeamlessWallet } from '../rounds/wallets/seamless/seamlessWallet.ts';
import type { Failpoint } from '../rounds/wallets/seamless/transactionSender.ts';
import type { Database } from '../store/database/database.ts';
import type { NodeEvents } from '../watch/audit/nodeEvents.ts';
import { createMetrics, type SharedMetrics } from '../watch/metrics/metrics.ts';
import type { NodeReads } from '../watch/metrics/nodeReads.ts';
import { createRoundTraces } from '../watch/tracing/roundTraces.ts';
import type { Tracing } from '../watch/tracing/tracing.ts';
import { type AppOptions, createApp } from './app.ts';

export type ServerOptions = AppOptions & {
  db: Database;
  catalogue: Catalogue;
  log: Logger;
  host: string;
  /** 0 means any free port. */
  port: number;
  /** Takes the next free port when this one is in use. */
  orNextPort?: boolean;
  /** The setting that gives the port, for error messages; `--port` when left out. */
  portSetBy?: string;
  /** If set, the port also serves https. The certificate is read at the first TLS handshake. */
  certificate?: () => Promise<Certificate>;
  /** True when launch URLs are https. */
  isSecure?: boolean;
  /** Called when a browser refuses the certificate, with the number of refusals. */
  onCertificateRefused?: (times: number) => void;
  /**
   * The address that browsers use, without a slash at its end, when it is not the one that the
   * server listens on.
   */
  publicUrl?: string;
  /** The page that launch URLs open, when another server has it. */
  frontendUrl?: string;
  /**
   * Without it this process abandons no debit and retries no credit or rollback: for tests of the
   * house wallet.
   */
  recovery?: RecoveryOptions;
  /**
   * The default is the cryptographic source. Tests replace it to see what a broken one does.
   */
  random?: Random64;
  /** The time between two tests of the source, in milliseconds; an hour when left out. */
  randomTestMs?: number;
  /** Called at each step of a wallet transaction: tests stop the process there. */
  failpoint?: (name: Failpoint) => void;
  /** The limits of connections to this process. */
  clientLimits?: Partial<ClientLimits>;
  /**
   * Time in milliseconds for which close() still responds, as not ready, before it closes the port.
   * It is 0 when left out.
   */
  drainMs?: number;
  /** The processes that serve together share it; without it, it belongs to this process alone. */
  roundStops?: RoundStops;
  /** The process adds these to the log of significant events on its own; none when left out. */
  events?: NodeEvents | undefined;
  /**
   * Only one process of a node has them: it reads the metrics of the database and of the machine.
   */
  nodeReads?: NodeReads | undefined;
  /** Traces requests; close() sends what is left. Tracing is off when it is left out. */
  tracing?: Tracing | undefined;
  /** The processes that serve together share them; without it /metrics shows this process only. */
  sharedMetrics?: SharedMetrics;
};

export type RunningServer = {
  /** The address on which the server listens, for example http://127.0.0.1:4000. */
  url: string;
  /** Launch URLs have it as rgs_url. */
  rgsUrl: string;
  /** The page that launch URLs open, when another server has it. */
  frontendUrl?: string | undefined;
  /**
   * Makes the server not ready, and finishes the requests in flight. Database and catalogue stay
   * open: the caller closes them.
   */
  close(): Promise<void>;
};

/**
 * Logs a change of the database server. People search the log by words, so each kind has different
 * ones.
 */
function logDatabaseChange(log: Logger, change: WriterChange): void {
  if (change.host === undefined) log.warn(change, 'no database takes writes');
  else if (change.kind === 'returned') log.warn(change, 'the database takes writes again');
  else if (change.kind === 'restarted') log.warn(change, 'the database has started again');
  else log.warn(change, 'the database that takes writes is another one');
}

/** Opens what one process needs to serve, and listens. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { db, catalogue, log, host, port, certificate, isSecure = false, publicUrl, frontendUrl } = options;
  const { roundStops = createRoundStops(), random = createCryptoRandom(), events, tracing } = options;
  const metrics = createMetrics(
    { db, roundStops, clockOffsetSeconds: events?.clockOffsetSeconds, nodeReads: options.nodeReads },
    options.sharedMetrics,
  );
  db.writer.onChange = (change) => {
    metrics.observeDatabaseChange(change);
    logDatabaseChange(log, change);
    events?.databaseChanged(change);
  };
  db.writer.onError = metrics.observeDatabaseError;
  const ledger = createLedger(db, metrics.observeBatch);
  const seamless = startSeamlessWallet({
    ...options,
    ledger,
    traces: tracing && createRoundTraces({ db, tracing, log }),
    observe: (request) => {
      metrics.observeWalletRequest(request);
      events?.observeWalletRequest(request);
    },
    observeClosings: metrics.observeClosings,
  });
  metrics.readFrom({ walletPools: seamless.client.pools, closingsWaiting: seamless.closingsWaiting });
  const health = await startRandomHealth(
    { random, catalogue, roundStops, db, log, observe: metrics.observeRandomTest },
    options.randomTestMs,
  );
  let isDraining = false;
  let certificateRefusals = 0;
  // It is set once the server listens: with port 0 the system chooses the port.
  let address: Address = { url: '', rgsUrl: '' };
  // It is assigned before any request comes.
  let listener: Awaited<ReturnType<typeof listen>>;
  const app = createApp(
    {
      db,
      catalogue,
      log,
      metrics,
      ledger,
      seamless,
      tracing,
      address: () => address,
      isDraining: () => isDraining,
      connections: { isFull: () => listener.isFull(), turnsAway: (req) => listener.turnsAway(req) },
      random,
      roundStops,
      signatureRefused: events?.signatureRefused,
      certificateRefusals: () => certificateRefusals,
    },
    options,
  );
  listener = await listen({
    app,
    messages: expressMessages(app),
    unreadable: createUnreadableResponse({ log, headers: CROSS_ORIGIN_LINES }),
    log,
    limits: options.clientLimits,
    host,
    port,
    orNextPort: options.orNextPort,
    setBy: { host: '--host', port: options.portSetBy ?? '--port' },
    certificate,
    onHandshakeRefused() {
      certificateRefusals += 1;
      options.onCertificateRefused?.(certificateRefusals);
    },
  }).catch(async (error: unknown) => {
    health.stop();
    await seamless.stop();
    throw error;
  });
  const listening = listeningAddress({ host, port: listener.port, isSecure });
  address = {
    ...(publicUrl === undefined ? listening : publicAddress(publicUrl)),
    ...(frontendUrl !== undefined && { frontendUrl }),
  };
  return {
    url: listening.url,
    rgsUrl: address.rgsUrl,
    frontendUrl,
    async close() {
      isDraining = true;
      health.stop();
      listener.retire();
      await wait(options.drainMs ?? 0);
      await listener.close();
      await seamless.stop();
      await tracing?.stop();
    },
  };
}
