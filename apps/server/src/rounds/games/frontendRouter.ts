import { ownPath } from '@roundhouse/math';
import { loggedAs } from '@roundhouse/service';
import compression from 'compression';
import express, { type RequestHandler, Router } from 'express';
import { notFound } from '../../base/http/responses.ts';
import type { Catalogue } from './catalogue.ts';

/**
 * Serves the static front ends at `/<game_id>/<game_version>/`. They run in an operator's iframe
 * and bring their scripts, so no header here forbids either. They are compressed, because a player
 * waits for every byte of the first load. The API is not: compressing each small response costs the
 * server more than it saves the wire.
 */
export function frontendRouter(catalogue: Catalogue): Router {
  const router = Router();
  catalogue.onServed(({ gameID, version, frontendFolder }) => {
    if (frontendFolder === undefined) return;
    router.use(
      `/${gameID}/${version}`,
      loggedAs(`/${gameID}/${version}/*`),
      withoutLinks(frontendFolder),
      compression(),
      express.static(frontendFolder, { etag: true }),
    );
  });
  return router;
}

/**
 * Refuses symbolic links that appear in the folder after the game was loaded; loading refuses
 * earlier ones. The folder itself may be reached through a link.
 */
function withoutLinks(folder: string): RequestHandler {
  return async (req, res, next) => {
    const name = decoded(req.path);
    // The static handler refuses a path that cannot be decoded or does not name a file.
    if (name === undefined) return next();
    const file = name.endsWith('/') ? `${name}index.html` : name;
    // The real path of the folder is read each time: a studio may publish by moving a link.
    const isLink = await ownPath(folder, file).then(
      (own) => own === undefined,
      // The static handler responds that there is no such file.
      () => false,
    );
    if (!isLink) return next();
    notFound(req, res, next);
  };
}

function decoded(text: string): string | undefined {
  try {
    const name = decodeURIComponent(text);
    return name.includes('\0') ? undefined : name;
  } catch {
    return undefined;
  }
}
