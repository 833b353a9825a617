import type { IncomingMessage } from 'node:http';
import type { Random64 } from '@roundhouse/math';
import { Overload, requestLog, type TraceSpan } from '@roundhouse/service';
import express, { type Express, type Request, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Address } from '../base/address.ts';
import { commonHeaders, requireHost } from '../base/http/commonHeaders.ts';
import { docsRouter, docsSiteRouter } from '../base/http/docsPage.ts';
import { createErrorHandler, createErrorLog } from '../base/http/errors.ts';
import { notFound } from '../base/http/responses.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { createForcedOutcomes } from '../local/forcedOutcomes.ts';
import { createLastSession } from '../local/lastSession.ts';
import { createGameFaults, type LocalDeps, localRouter, playerRouter } from '../local/localRouter.ts';
import { createParity, type ParityMode } from '../local/parity/parity.ts';
import { type OperatorDeps, operatorRouter } from '../operators/api/operatorRouter.ts';
import { dialectRouter } from '../operators/dialectApi/dialectRouter.ts';
import { createFairDraws } from '../rounds/fair/fairDraw.ts';
import { fairRouter } from '../rounds/fair/fairHandlers.ts';
import { verifierRouter } from '../rounds/fair/verifierPage.ts';
import type { Catalogue } from '../rounds/games/catalogue.ts';
import { frontendRouter } from '../rounds/games/frontendRouter.ts';
import { demoRouter } from '../rounds/play/demoRouter.ts';
import { createDemoStops } from '../rounds/play/demoStops.ts';
import { gameRouter } from '../rounds/play/gameRouter.ts';
import { createDraw } from '../rounds/play/play.ts';
import { createAddressLimit } from '../rounds/sessions/addressLimit.ts';
import { maintenanceFirst } from '../rounds/sessions/maintenanceFirst.ts';
import { type RoundStops, refuseNewRounds } from '../rounds/sessions/roundStops.ts';
import { createSessionDirectory } from '../rounds/sessions/sessionDirectory.ts';
import { createHouseWallet } from '../rounds/wallets/houseWallet.ts';
import type { RunningSeamlessWallet } from '../rounds/wallets/seamless/seamlessWallet.ts';
import type { Database } from '../store/database/database.ts';
import { createOperatorDirectory } from '../store/operators/operatorDirectory.ts';
import { readOperatorVersions } from '../store/operators/operators.ts';
import { createLookUps } from '../store/rounds/lookUps.ts';
import { readGameStops } from '../store/rounds/maintenance.ts';
import type { Metrics } from '../watch/metrics/metrics.ts';
import type { Tracing } from '../watch/tracing/tracing.ts';
import { monitoringRouter } from './monitoring.ts';

export type AppOptions = {
  /**
   * Mounts the paths for local work: test players of this operator, forced outcomes, and the page
   * for games without a front end. `parity`: it compares responses to games with those of Engine.
   */
  local?: Pick<LocalDeps, 'operatorCode' | 'allowedHosts'> & { parity?: ParityMode };
  /**
   * The proxies whose X-Forwarded-For the server trusts for the address of the client: addresses,
   * CIDR ranges or `loopback`. It trusts none when this is left out.
   */
  trustedProxies?: readonly string[];
  /**
   * The number of unknown sessions that this process verifies per address and second, and of
   * requests without a valid signature to which it responds. When left out, there is no limit.
   */
  unknownSessionsPerSecond?: number;
  /** Allows playing games for fun, without a session. It is off when left out. */
  demo?: boolean;
};

type AppDeps = Pick<OperatorDeps, 'signatureRefused'> & {
  db: Database;
  catalogue: Catalogue;
  log: Logger;
  metrics: Metrics;
  ledger: Ledger;
  seamless: RunningSeamlessWallet;
  /** It is undefined where tracing is off. */
  tracing: Tracing | undefined;
  /** Returns the address for launch URLs. It is called during requests, when the port is known. */
  address(): Address;
  /** This node is about to end and must get no new requests. */
  isDraining(): boolean;
  connections: {
    /** Returns whether the server refuses every further connection. */
    isFull(): boolean;
    /** Returns whether the connection of the request came while the server was full. */
    turnsAway(req: IncomingMessage): boolean;
  };
  /** The source of every draw of this process. */
  random: Random64;
  roundStops: RoundStops;
  /** Returns how often a browser has refused the certificate of local https. */
  certificateRefusals(): number;
};

/**
 * Returns the Express application. The routers with the most requests come first, because Express
 * tries one after the other.
 */
export function createApp(
  deps: AppDeps,
  { local, trustedProxies = [], unknownSessionsPerSecond, demo = false }: AppOptions,
): Express {
  const { db, catalogue, log, metrics, ledger, seamless, address, isDraining, connections, roundStops } = deps;
  const { random, certificateRefusals, signatureRefused, tracing } = deps;
  const lookUps = createLookUps(db, metrics.observeBatch);
  const operators = createOperatorDirectory({
    versions: () => readOperatorVersions(db),
    operator: lookUps.operator,
    walletOperator: lookUps.walletOperator,
  });
  const sessions = createSessionDirectory(lookUps, { house: createHouseWallet(ledger), seamless: seamless.wallet });
  metrics.readFrom({ activeSessions: sessions.active });
  const verificationLimit = createAddressLimit('unknown sessions', unknownSessionsPerSecond);
  const unsignedLimit = createAddressLimit('unsigned requests', unknownSessionsPerSecond);
  const walletClient = seamless.client;
  const logError = createErrorLog(log);
  const weighted = createDraw(random);
  const forced = createForcedOutcomes(weighted);
  const faults = createGameFaults({ sessions });
  const lastSession = createLastSession();
  const draw = local ? forced : weighted;
  const parity = local?.parity && createParity({ sessions, ledger, catalogue, isStrict: local.parity === 'strict' });
  const fairDraws = createFairDraws(db);
  const monitoring = monitoringRouter({ db, ledger, metrics, isDraining, isFull: connections.isFull, roundStops });
  /** A client that is turned away may still read the health of the process. */
  const whenFull: RequestHandler = (req, res, next) => {
    if (!connections.turnsAway(req)) return next();
    monitoring(req, res, () => next(new Overload('connections', 'too many are open')));
  };

  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', [...trustedProxies]);
  // No client sends the ETag of an API response back, and hashing each response costs time.
  app.disable('etag');
  const trace = tracing && requestTracer(app, tracing);
  app.use(requestLog({ log, observe: metrics.observeRequest, trace }), commonHeaders, requireHost, whenFull);
  app.use(refuseNewRounds(roundStops));
  if (local) app.use(faults.handle, lastSession.follow);
  app.use(
    gameRouter({
      db,
      catalogue,
      ledger,
      sessions,
      verificationLimit,
      lookUps,
      walletClient,
      draw,
      fairDraws,
      log,
      logError,
      observePlay: metrics.observePlay,
      observeBookRead: metrics.observeBookRead,
      around: parity?.around,
    }),
    fairRouter({ db, catalogue, sessions, lookUps, logError }),
    operatorRouter({ db, catalogue, sessions, operators, lookUps, unsignedLimit, address, log, signatureRefused }),
    dialectRouter({
      db,
      catalogue,
      sessions,
      verificationLimit,
      unsignedLimit,
      operators,
      walletClient,
      address,
      log,
      signatureRefused,
      hasDemo: demo,
    }),
    demoRouter({ catalogue, random, isOn: demo, stopOf: createDemoStops(() => readGameStops(db)) }),
    monitoring,
    docsRouter(),
    verifierRouter(),
    docsSiteRouter({ isServed: local !== undefined }),
  );
  if (local) {
    const localDeps = { db, catalogue, sessions, lastSession, forced, faults, address, certificateRefusals };
    app.use(localRouter({ ...localDeps, ...local, parity }), playerRouter(catalogue));
  }
  app.use(frontendRouter(catalogue), notFound);
  const refuseFirst = maintenanceFirst.bind(undefined, { lookUps, logError });
  const isDatabaseBusy = () => !db.writer.isKnown || db.pool.totalCount - db.pool.idleCount >= db.pool.options.max;
  app.use(createErrorHandler({ logError, observeOverload: metrics.observeOverload, isDatabaseBusy, refuseFirst }));
  return app;
}

/** The caller's traceparent counts only when a trusted proxy sends it. */
function requestTracer(app: Express, tracing: Tracing) {
  const isTrustedProxy = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  return (req: Request): TraceSpan | undefined => {
    const { method, path, headers, socket } = req;
    return tracing.request({ method, path, headers, isTrusted: () => isTrustedProxy(socket.remoteAddress ?? '', 0) });
  };
}
