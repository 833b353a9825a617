import { DEMO_ROUTES, GAME_ROUTES } from '@roundhouse/contract';
import type { RequestHandler } from 'express';
import { refusalResponse, sendJson } from '../http/responses.ts';

/**
 * What keeps a node from opening rounds. A stop ends with the process, unless the primary ends it.
 */
export type RoundStops = {
  /** Empty while rounds are opened. */
  readonly reasons: ReadonlySet<string>;
  /** In every process of the node. `reason` completes "new rounds are stopped: ". */
  stop(reason: string): void;
};

/**
 * `onStop` is called once for each reason, to hand it to the other processes of the node. `reasons`
 * holds those of the other processes, too.
 */
export function createRoundStops(
  onStop: (reason: string) => void = () => {},
  reasons: Set<string> = new Set(),
): RoundStops {
  return {
    reasons,
    stop(reason) {
      if (reasons.has(reason)) return;
      reasons.add(reason);
      onStop(reason);
    },
  };
}

/** The paths that open rounds. */
export const NEW_ROUNDS: ReadonlySet<string> = new Set([GAME_ROUTES.play.path, DEMO_ROUTES.demoPlay.path]);

/**
 * Like maintenance with no-new-rounds: before shape and session, and open rounds may be finished.
 */
export function refuseNewRounds({ reasons }: RoundStops): RequestHandler {
  return (req, res, next) => {
    if (reasons.size === 0 || req.method !== 'POST' || !NEW_ROUNDS.has(req.path)) return next();
    res.locals.endpoint = req.path;
    res.setHeader('Cache-Control', 'no-store');
    sendJson(res, refusalResponse({ ok: false, refusal: 'maintenance' }));
  };
}
