import express, { Router } from 'express';
import helmet from 'helmet';
import type { HttpDeps } from './httpDeps.ts';

/** The lobby page with the headers of a page: it shows games of the server in a frame and loads nothing else from elsewhere. */
export function pageRouter({ pageFolder, rgsUrl, gameOrigins }: HttpDeps): Router {
  const games = [...new Set([rgsUrl, ...gameOrigins].flatMap(originsOf))];
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
          // The page for games without a front end plays them itself.
          'connect-src': ["'self'", ...games],
          'img-src': ["'self'", 'data:', ...games],
          'style-src': ["'self'", "'unsafe-inline'"],
        },
      },
      // Local work is plain http, and a browser would remember otherwise for every server on this host name.
      strictTransportSecurity: false,
    }),
  );
  if (pageFolder !== undefined) router.use(express.static(pageFolder, { etag: true }));
  return router;
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** A loopback server is called by each of its names, with and without TLS on its one port. */
function originsOf(url: string): string[] {
  const { origin, hostname, port } = new URL(url);
  if (!LOOPBACK_NAMES.includes(hostname)) return [origin];
  const withPort = port === '' ? '' : `:${port}`;
  return ['http', 'https'].flatMap((scheme) =>
    LOOPBACK_NAMES.filter((name) => name !== '[::1]').map((name) => `${scheme}://${name}${withPort}`),
  );
}
