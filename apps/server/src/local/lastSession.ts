import { GAME_ROUTES } from '@roundhouse/contract';
import type { RequestHandler } from 'express';

/** The session that has authenticated last at this process. */
export type LastSession = {
  /** Mount it before the routes of games. */
  follow: RequestHandler;
  /** Returns the sessionID; undefined before any session has authenticated. */
  current(): string | undefined;
};

/**
 * Follows which session plays. The publisher's front ends look for a book without a session: then
 * the developer means the game that is open.
 */
export function createLastSession(): LastSession {
  let last: string | undefined;
  return {
    follow(req, res, next) {
      if (req.path === GAME_ROUTES.authenticate.path)
        res.once('finish', () => {
          if (res.statusCode === 200 && req.method === 'POST') last = req.body.sessionID;
        });
      next();
    },
    current: () => last,
  };
}
