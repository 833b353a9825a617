import express, { type Request, type RequestHandler } from 'express';
import { InvalidBody } from './invalidBody.ts';
import { becomesWhole, isTooLong, topLevelMembers } from './topLevelMembers.ts';

/** Interface: at most 16 KiB (wire.md, "Everywhere"). */
const MAX_BODY_BYTES = 16 * 1024;

/**
 * Reads the bytes of a body as they were sent. Packed ones are refused: 152 bytes of brotli ask for a window of 16 MB and 40 ms, and
 * nobody packs a body this small.
 */
export const readBytes: RequestHandler = express.raw({ type: () => true, limit: MAX_BODY_BYTES, inflate: false });
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads one JSON object, whatever the Content-Type says. Anything else is an InvalidBody. */
export const readBody: RequestHandler = (req, res, next) => {
  readBytes(req, res, (error?: unknown) => {
    if (error !== undefined) return next(error);
    try {
      req.body = parseBody(req);
      next();
    } catch (fault) {
      next(fault);
    }
  });
};

/** 100-continue is node's own affair. */
function expectsTheUnknown({ headers }: Request): boolean {
  return headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue';
}

/**
 * The JSON object in the bytes that are the body of this request so far.
 * @throws InvalidBody when it is anything else.
 */
export function parseBody(req: Request): object {
  if (expectsTheUnknown(req)) throw new InvalidBody('the expectation of the request cannot be met');
  if (!Buffer.isBuffer(req.body) || req.body.length === 0) throw new InvalidBody('the body is empty');
  const text = textOf(req.body);
  const value = parsedJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidBody('the body is not a JSON object');
  }
  // JSON.parse keeps the last of two equal keys. What somebody else on the way has read may be the first: with money that is
  // no body at all.
  const members = topLevelMembers(text);
  if (new Set(members.map(({ key }) => key)).size !== members.length) {
    throw new InvalidBody('the body has the same key twice');
  }
  for (const { number } of members) {
    if (number === undefined) continue;
    if (isTooLong(number)) throw new InvalidBody('a number in the body is too long');
    if (becomesWhole(number)) throw new InvalidBody('a number in the body is not whole as it is written');
  }
  return value;
}

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new InvalidBody('the body is not UTF-8');
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidBody('the body is not JSON');
  }
}
