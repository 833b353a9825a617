import { isStorableText, signatureIssue } from '@roundhouse/contract';
import express, { type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { InvalidRequest } from './invalidRequest.ts';

const MAX_BODY_BYTES = 16 * 1024;

const readBytes = express.raw({ type: () => true, limit: MAX_BODY_BYTES, inflate: false });
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a signed body: the signature is over the bytes as they came, so it is checked before anybody looks into them. What does not hold is
 * 401, and of the secrets each is good, so that one can be exchanged for the next without a pause.
 */
export function signedBody({ secrets, log }: { secrets: readonly string[]; log: Logger }): RequestHandler[] {
  const verify: RequestHandler = async (req, res, next) => {
    const bytes = Buffer.isBuffer(req.body) ? new Uint8Array(req.body) : new Uint8Array();
    // The router has taken its own place away from the URL: what is left is the path below the wallet's base URL.
    const call = { direction: 'to-operator', method: req.method, path: req.url, body: bytes } as const;
    const fault = await signatureIssue(call, {
      headers: req.headers,
      secrets,
      nowSeconds: Math.floor(Date.now() / 1000),
    });
    if (fault !== undefined) {
      log.warn({ requestId: res.locals.requestId, path: req.originalUrl, fault }, 'a signature does not hold');
      throw new InvalidRequest(`the signature is ${fault}`, 401);
    }
    req.body = parseObject(bytes);
    next();
  };
  return [readBytes, verify];
}

function parseObject(bytes: Uint8Array): object {
  const value = parsedJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidRequest('the body is not a JSON object');
  }
  const unstorable = Object.entries(value).find(([, field]) => typeof field === 'string' && !isStorableText(field));
  if (unstorable !== undefined) throw new InvalidRequest(`${unstorable[0]}: holds what no text can hold`);
  return value;
}

function parsedJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new InvalidRequest('the body is not JSON in UTF-8');
  }
}
