import type { Request, RequestHandler } from 'express';
import { MAX_BODY_BYTES, readUpTo } from './readBody.ts';
import { errorResponse, sendJson } from './responses.ts';

/** A request for 10,000 grants is this large at most, with the longest ids in ASCII. */
const MAX_LARGE_BODY_BYTES = 4 * 1024 * 1024;

/** A body is large when its Content-Length says so. */
export function isLargeBody(req: Request): boolean {
  return Number(req.headers['content-length']) > MAX_BODY_BYTES;
}

/**
 * Returns a reader of large bodies that reads at most `atOnce` at the same time: anybody can send
 * them before a signature is checked, so this bounds their memory. `who` names the caller in the
 * message of a refusal.
 */
export function readLargeBodies({ who, atOnce }: { who: string; atOnce: number }): RequestHandler {
  const readLarge = readUpTo(MAX_LARGE_BODY_BYTES);
  let inUse = 0;
  return (req, res, next) => {
    if (inUse >= atOnce) {
      const message = `the ${who} reads too many large requests at the moment; nothing was done`;
      // Nobody reads the body, so the connection cannot be used again.
      return sendJson(res.set('Connection', 'close'), errorResponse('ERR_GEN', message, true));
    }
    inUse += 1;
    res.once('close', () => {
      inUse -= 1;
    });
    readLarge(req, res, next);
  };
}
