import { realpath } from 'node:fs/promises';
import path from 'node:path';
import compression from 'compression';
import express, { type RequestHandler, Router } from 'express';
import type { Catalogue } from '../games/catalogue.ts';
import { nothingHere } from './nothingHere.ts';
import { loggedAs } from './requestLog.ts';

/**
 * The static front ends, at `/<game_id>/<game_version>/` (interface document, section 1 "Game launch URL"). They run in an
 * operator's iframe and bring scripts of their own, so nothing here forbids either. Compressed, because a player waits for every byte of
 * the first load; the API is not, since compressing each small answer would cost the server more than it saves the wire.
 */
export function frontendRouter(catalogue: Catalogue): Router {
  const router = Router();
  for (const { gameID, version, frontendFolder } of catalogue.games) {
    if (frontendFolder === undefined) continue;
    router.use(
      `/${gameID}/${version}`,
      loggedAs(`/${gameID}/${version}/*`),
      withoutLinks(frontendFolder),
      compression(),
      express.static(frontendFolder, { etag: true }),
    );
  }
  return router;
}

/**
 * A symbolic link in the folder is no file of it, wherever it leads: one that is there when the game is loaded is refused then, and one
 * that comes later here. The folder itself may be reached through a link.
 */
function withoutLinks(folder: string): RequestHandler {
  return async (req, res, next) => {
    const name = decoded(req.path);
    // What cannot be decoded, or names no file, is for the static handler to refuse.
    if (name === undefined) return next();
    const file = name.endsWith('/') ? `${name}index.html` : name;
    const real = await realpath(path.join(folder, file)).catch(() => undefined);
    // Compared with the folder of now: a studio may publish by moving a link to another folder.
    if (real === undefined || real === path.join(await realpath(folder), file)) return next();
    nothingHere(req, res, next);
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
