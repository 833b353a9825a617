import { fileURLToPath } from 'node:url';
import { loggedAs } from '@roundhouse/service';
import express, { Router } from 'express';
import helmet from 'helmet';
import type { Catalogue } from '../games/catalogue.ts';

/** Built by `apps/player`. */
const PLAYER_FOLDER = fileURLToPath(new URL('../../../player/dist', import.meta.url));

/**
 * The page that plays a game which brings no front end of its own, at the game's own launch path.
 */
export function playerRouter(catalogue: Catalogue): Router {
  const router = Router();
  // The page may talk to any server, because rgs_url says which; and a lobby may show it in a
  // frame.
  const headers = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ['*'],
        baseUri: ["'none'"],
        formAction: ["'none'"],
      },
    },
    frameguard: false,
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: false,
    strictTransportSecurity: false,
  });
  for (const { gameID, version, frontendFolder } of catalogue.games) {
    if (frontendFolder !== undefined) continue;
    const base = `/${gameID}/${version}`;
    router.use(base, loggedAs(`${base}/*`), headers, express.static(PLAYER_FOLDER));
  }
  return router;
}
