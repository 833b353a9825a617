import { setTimeout as wait } from 'node:timers/promises';
import { createCryptoRandom, type Random64 } from '@roundhouse/math';
import {
  type Certificate,
  type ClientLimits,
  createUnreadableResponse,
  expressMessages,
  listen,
} from '@roundhouse/service';
import type { Logger } from 'pino';
import { type Address, listeningAddress, publicAddress } from './address.ts';
import { type AppOptions, createApp } from './app.ts';
import type { NodeEvents } from './audit/nodeEvents.ts';
import type { Catalogue } from './games/catalogue.ts';
import { createMetrics, type SharedMetrics } from './http/monitoring.ts';
import type { Database } from './ledger/database.ts';
import { createLedger } from './ledger/ledger.ts';
import { startRandomHealth } from './play/randomHealth.ts';
import { createRoundStops, type RoundStops } from './play/roundStops.ts';
import type { RecoveryOptions } from './wallets/seamless/recovery.ts';
import { startSeamlessWallet } from './wallets/seamless/seamlessWallet.ts';
import type { Failpoint } from './wallets/seamless/transactionSender.ts';

export type ServerOptions = AppOptions & {
  db: Database;
  catalogue: Catalogue;
  log: Logger;
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** The next free port when that one is in use. */
  orNextPort?: boolean;
  /** How a person sets the port; `--port` when left out. */
  portSetBy?: string;
  /** With it the port serves https as well. Read when the first TLS handshake arrives. */
  certificate?: () => Promise<Certificate>;
  /** Whether launch URLs are https. */
  isSecure?: boolean;
  /** Called when a browser refuses the certificate, with how often that happened. */
  onCertificateRefused?: (times: number) => void;
  /**
   * Address for browsers, without a slash at its end, when it is not the one that the server
   * listens on.
   */
  publicUrl?: string;
  /** The page of launch URLs, when another server has it. */
  frontendUrl?: string;
  /**
   * Without it this process abandons no debit and retries no credit or rollback: for tests of the
   * house wallet.
   */
  recovery?: RecoveryOptions;
  /** In place of the cryptographic source: for tests of what a broken one does. */
  random?: Random64;
  /** How often the source is tested, in milliseconds; an hour when left out. */
  randomTestMs?: number;
  /** Called at each step of a wallet transaction: for tests that stop the process there. */
  failpoint?: (name: Failpoint) => void;
  /** Of connections to this process. */
  clientLimits?: Partial<ClientLimits>;
  /**
   * How long close() goes on responding, not ready any more, before it closes the port; 0 when left
   * out. In milliseconds.
   */
  drainMs?: number;
  /** Of the processes that serve together; of this process alone when left out. */
  roundStops?: RoundStops;
  /** What the process adds to the log of significant events by itself; nothing when left out. */
  events?: NodeEvents | undefined;
  /** Of the processes that serve together; without it /metrics is about this process. */
  sharedMetrics?: SharedMetrics;
};

export type RunningServer = {
  /** Where it listens, for example http://127.0.0.1:4000. */
  url: string;
  /** The rgs_url of launch URLs. */
  rgsUrl: string;
  /** The page of launch URLs, when another server has it. */
  frontendUrl?: string | undefined;
  /**
   * Is not ready from now on, and finishes the requests in flight. Leaves the database and the
   * catalogue open: they are the caller's.
   */
  close(): Promise<void>;
};

/** Pages of any origin may read the response to an unreadable request too. */
const CROSS_ORIGIN_HEADERS = ['Access-Control-Allow-Origin: *', 'Access-Control-Expose-Headers: X-Request-Id'];

/** Opens what one process needs to serve, and listens. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { db, catalogue, log, host, port, certificate, isSecure = false, publicUrl, frontendUrl } = options;
  const { roundStops = createRoundStops(), random = createCryptoRandom(), events } = options;
  const metrics = createMetrics(
    { db, roundStops, clockOffsetSeconds: events?.clockOffsetSeconds },
    options.sharedMetrics,
  );
  db.writer.onChange = (change) => {
    log.warn(change, 'the database that takes writes is another one');
    events?.databaseChanged(change);
  };
  const ledger = createLedger(db);
  const seamless = startSeamlessWallet({
    ...options,
    ledger,
    observe: (request) => {
      metrics.observeWalletRequest(request);
      events?.observeWalletRequest(request);
    },
  });
  const health = await startRandomHealth(
    { random, catalogue, roundStops, db, log, observe: metrics.observeRandomTest },
    options.randomTestMs,
  );
  let isDraining = false;
  let certificateRefusals = 0;
  // Set when the server listens: with port 0 the system chooses the port.
  let address: Address = { url: '', rgsUrl: '' };
  // Requests come when it is assigned.
  let listener: Awaited<ReturnType<typeof listen>>;
  const app = createApp(
    {
      ...{ db, catalogue, log, metrics, ledger, seamless },
      address: () => address,
      isDraining: () => isDraining,
      connections: { isFull: () => listener.isFull(), turnsAway: (req) => listener.turnsAway(req) },
      ...{ random, roundStops, signatureRefused: events?.signatureRefused },
      certificateRefusals: () => certificateRefusals,
    },
    options,
  );
  listener = await listen({
    app,
    messages: expressMessages(app),
    unreadable: createUnreadableResponse({ log, headers: CROSS_ORIGIN_HEADERS }),
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
    },
  };
}
