import type { RequestHandler } from 'express';
import { MAX_BODY_BYTES, readBytes, readUpTo } from '../http/readBody.ts';
import { errorResponse, sendJson } from '../http/responses.ts';

/** A request for 10,000 grants is this large at most. */
const MAX_LARGE_BODY_BYTES = 4 * 1024 * 1024;
/** The router knows no secrets, so anybody can send large bodies: this bounds their memory to 64 MiB. */
const MAX_AT_ONCE = 16;

/** Returns a reader of bodies that may be large, if their Content-Length says how large they are. */
export function boundedLargeBodies(): RequestHandler {
  const readLarge = readUpTo(MAX_LARGE_BODY_BYTES);
  let inUse = 0;
  return (req, res, next) => {
    if (!(Number(req.headers['content-length']) > MAX_BODY_BYTES)) return readBytes(req, res, next);
    if (inUse >= MAX_AT_ONCE) {
      const message = 'the router reads too many large requests at the moment; nothing was done';
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
