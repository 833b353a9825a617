import compression from 'compression';
import express, { Router } from 'express';
import type { Catalogue } from '../games/catalogue.ts';

/**
 * The static front ends, at `/<game_id>/<game_version>/` (interface document, section 1 "Game launch URL"). They run in an
 * operator's iframe and bring scripts of their own, so nothing here forbids either. Compressed, because a player waits for every byte of
 * the first load; the API is not, since compressing each small answer would cost the server more than it saves the wire.
 */
export function frontendRouter(catalogue: Catalogue): Router {
  const router = Router();
  for (const { gameID, version, frontendFolder } of catalogue.games) {
    if (frontendFolder !== undefined)
      router.use(`/${gameID}/${version}`, compression(), express.static(frontendFolder, { etag: true }));
  }
  return router;
}
