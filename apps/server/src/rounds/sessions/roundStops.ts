import { DEMO_ROUTES, GAME_ROUTES } from '@roundhouse/contract';
import type { RequestHandler } from 'express';
import { refusalResponse, sendJson } from '../../base/http/responses.ts';

/**
 * A stop keeps a node from opening rounds. It lasts until the process ends, or the primary ends it.
 */
export type RoundStops = {
  /** It is empty while rounds are opened. */
  readonly reasons: ReadonlySet<string>;
  /**
   * Stops new rounds in every process of the node. `reason` completes "new rounds are stopped: ".
   */
  stop(reason: string): void;
};

/**
 * Calls `onStop` once for each reason, to pass it to the other processes of the node. `reasons`
 * also holds those of the other processes.
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
 * Refuses as maintenance with no-new-rounds does: before shape and session are judged. Open rounds
 * may go on.
 */
export function refuseNewRounds({ reasons }: RoundStops): RequestHandler {
  return (req, res, next) => {
    if (reasons.size === 0 || req.method !== 'POST' || !NEW_ROUNDS.has(req.path)) return next();
    res.locals.endpoint = req.path;
    res.setHeader('Cache-Control', 'no-store');
    sendJson(res, refusalResponse({ ok: false, refusal: 'server_maintenance' }));
  };
}
