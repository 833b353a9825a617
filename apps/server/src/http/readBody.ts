import express, { type Request, type RequestHandler } from 'express';
import { becomesWhole, isTooLong, topLevelMembers } from './jsonMembers.ts';

/** A request that breaks the rules of the wire: ERR_VAL. The message is for the client. */
export class InvalidRequest extends Error {}

const MAX_BODY_BYTES = 16 * 1024;

/**
 * Reads the bytes of a body as they were sent. Compressed bodies are refused: 152 bytes of brotli
 * ask for a window of 16 MB and 40 ms, and no client compresses a body this small.
 */
export const readBytes: RequestHandler = express.raw({ type: () => true, limit: MAX_BODY_BYTES, inflate: false });
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads one JSON object, whatever the Content-Type says. Anything else is an InvalidRequest. */
export const readBody: RequestHandler = (req, res, next) => {
  readBytes(req, res, (error?: unknown) => {
    if (error !== undefined) return next(error);
    try {
      req.body = parseBody(req);
      next();
    } catch (error) {
      next(error);
    }
  });
};

/** Node itself answers 100-continue. */
function hasUnknownExpectation({ headers }: Request): boolean {
  return headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue';
}

/**
 * The JSON object in the bytes that are the body of this request so far.
 * @throws InvalidRequest when it is anything else.
 */
export function parseBody(req: Request): object {
  if (hasUnknownExpectation(req)) throw new InvalidRequest('the expectation of the request cannot be met');
  if (!Buffer.isBuffer(req.body) || req.body.length === 0) throw new InvalidRequest('the body is empty');
  const text = textOf(req.body);
  const value = parsedJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidRequest('the body is not a JSON object');
  }
  // JSON.parse keeps the last of two equal keys. A proxy on the way may have read the first: with
  // money neither is accepted.
  const members = topLevelMembers(text);
  if (new Set(members.map(({ key }) => key)).size !== members.length) {
    throw new InvalidRequest('the body has the same key twice');
  }
  for (const { number } of members) {
    if (number === undefined) continue;
    if (isTooLong(number)) throw new InvalidRequest('a number in the body is too long');
    if (becomesWhole(number))
      throw new InvalidRequest('a number in the body is not whole, and too precise for a double');
  }
  return value;
}

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new InvalidRequest('the body is not UTF-8');
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidRequest('the body is not JSON');
  }
}
