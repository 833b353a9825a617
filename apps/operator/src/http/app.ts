import { addHealth, fileRefusal, requestLog, singleProbe } from '@roundhouse/service';
import express, { type ErrorRequestHandler, type Express, Router } from 'express';
import helmet from 'helmet';
import { type EngineRouterDeps, engineRouter } from '../engine/engineRouter.ts';
import type { EngineKeys } from '../engine/settings.ts';
import { LOOPBACK_HOSTS } from './access.ts';
import { type ApiDeps, apiRouter } from './apiRouter.ts';
import { type WalletRouterDeps, walletRouter } from './walletRouter.ts';

/** What the routes need; operator.ts makes it. */
export type HttpDeps = ApiDeps &
  WalletRouterDeps &
  EngineRouterDeps &
  PageDeps & {
    /** With these keys the wallet speaks the dialect "engine". */
    engine: EngineKeys | undefined;
  };

export function createApp(deps: HttpDeps): Express {
  const isReachable = singleProbe(() => deps.ledger.db.$queryRaw`SELECT 1`);
  const app = express();
  app.disable('x-powered-by');
  app.use(requestLog(deps));
  app.use((_req, res, next) => {
    res.setHeader('X-Content-Type-Options', 'nosniff');
    next();
  });
  app.use('/wallet', deps.engine ? engineRouter(deps, deps.engine) : walletRouter(deps));
  app.use('/api', apiRouter(deps));
  addHealth(app, async () => ((await isReachable()) ? undefined : 'the database cannot be reached'));
  app.use(pageRouter(deps));
  app.use((_req, res) => {
    res.status(404).json({ error: 'ERR_VAL', message: 'there is nothing at this path' });
  });
  app.use(fileErrorHandler(deps));
  return app;
}

type PageDeps = {
  rgsUrl: string;
  /** More origins from which the page may show games. */
  gameOrigins: readonly string[];
  /** The folder of the built lobby page; undefined if it was not built. */
  pageFolder: string | undefined;
  /**
   * Whether there is a studio bench. With it the page may show games from any port of this machine.
   */
  bench: boolean;
};

/**
 * Returns the lobby page. It shows the server's games in a frame, and loads nothing else from
 * other hosts.
 */
function pageRouter({ pageFolder, rgsUrl, gameOrigins, bench }: PageDeps): Router {
  const games = [...new Set([...[rgsUrl, ...gameOrigins].flatMap(originsOf), ...(bench ? originsOf(ANY_LOCAL) : [])])];
  const router = Router();
  router.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          'default-src': ["'self'"],
          'base-uri': ["'none'"],
          'object-src': ["'none'"],
          'form-action': ["'self'"],
          'frame-ancestors': ["'self'"],
          'frame-src': ["'self'", ...games],
          // The player page sends its requests to the server.
          'connect-src': ["'self'", ...games],
          'img-src': ["'self'", 'data:', ...games],
          'style-src': ["'self'", "'unsafe-inline'"],
        },
      },
      // Local work uses plain http. With HSTS a browser would demand https from every server of
      // this host.
      strictTransportSecurity: false,
    }),
  );
  if (pageFolder !== undefined) router.use(express.static(pageFolder, { etag: true }));
  return router;
}

/** The addresses of a front end under `--frontend`, such as Vite's. */
const ANY_LOCAL = 'http://localhost:*';

/** A loopback server has several names, and listens with or without TLS on one port. */
function originsOf(url: string): string[] {
  const [, hostname = '', withPort = ''] = /^https?:\/\/(\[[^\]]*\]|[^:/]*)(:(?:\d+|\*))?/.exec(url) ?? [];
  if (!LOOPBACK_HOSTS.includes(hostname)) return [new URL(url).origin];
  return ['http', 'https'].flatMap((scheme) =>
    LOOPBACK_HOSTS.filter((name) => name !== '[::1]').map((name) => `${scheme}://${name}${withPort}`),
  );
}

function fileErrorHandler({ log }: Pick<HttpDeps, 'log'>): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) return next(error);
    const refusal = fileRefusal(error);
    if (refusal !== undefined) {
      // The type of the file is set already.
      res.status(refusal.status).set(refusal.headers).type('json');
      return res.json({ error: 'ERR_VAL', message: refusal.message });
    }
    log.error({ err: error, requestId: res.locals.requestId }, 'request failed');
    return res.status(500).json({ error: 'ERR_GEN', message: 'this did not work' });
  };
}
