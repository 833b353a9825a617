import { isStorableText, parseHttpUrl, signatureIssue, WALLET_ROUTES } from '@roundhouse/contract';
import express, { type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { InvalidRequest } from './errors.ts';

const MAX_BODY_BYTES = 16 * 1024;
/** The server sends up to 128 KiB, and may add fields that this wallet does not know. */
const MAX_GROUP_BYTES = 256 * 1024;
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Reads a body as it came. */
export const readBytes = (limit = MAX_BODY_BYTES): RequestHandler =>
  express.raw({ type: () => true, limit, inflate: false });
const utf8 = new TextDecoder('utf-8', { fatal: true });

export type SignedBodyOptions = {
  /** Each secret is valid, so that a rotation needs no pause. */
  secrets: readonly string[];
  log: Logger;
};

/**
 * Reads a signed body. It checks the signature over the bytes as they arrived, before it parses
 * them. Without a valid signature the response is 401.
 */
export function signedBody(path: string, { secrets, log }: SignedBodyOptions): RequestHandler[] {
  const verify: RequestHandler = (req, res, next) => {
    const bytes = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
    // Express has removed the router's own path: `req.url` is the path below the wallet's base URL.
    const signed = { direction: 'to-operator', method: req.method, path: req.url, body: bytes } as const;
    const nowSeconds = Math.floor(Date.now() / 1000);
    const issue = signatureIssue(signed, { headers: req.headers, secrets, nowSeconds });
    if (issue !== undefined) {
      log.warn({ requestId: res.locals.requestId, path: req.originalUrl, issue }, 'invalid signature');
      throw new InvalidRequest(`the signature is ${issue}`, 401);
    }
    req.body = parseObject(bytes);
    next();
  };
  return [readBytes(path === WALLET_ROUTES.closeRounds.path ? MAX_GROUP_BYTES : MAX_BODY_BYTES), verify];
}

/** @throws InvalidRequest for anything but an object with texts that can be stored. */
export function parseObject(bytes: Uint8Array): object {
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidRequest('the body is not a JSON object');
  }
  return value;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = utf8.decode(bytes);
    // In well-formed UTF-8 only an escape can produce an unstorable text. A reviver is slow.
    return JSON.parse(text, text.includes('\\u') ? refuseUnstorable : undefined);
  } catch (error) {
    if (error instanceof InvalidRequest) throw error;
    throw new InvalidRequest('the body is not JSON in UTF-8');
  }
}

/** The JSON parser calls this for each value at any depth. */
function refuseUnstorable(field: string, value: unknown): unknown {
  if (typeof value !== 'string' || isStorableText(value)) return value;
  throw new InvalidRequest(`${field}: must not hold U+0000 or half a surrogate pair`);
}

/**
 * The lobby has no login, so only pages of this machine may use it. Origin reveals a page from
 * elsewhere. Host reveals a name that was made to point here (DNS rebinding).
 */
export function localOnly(hosts: readonly string[]): RequestHandler {
  const isLocal = (url: string) => {
    const hostname = parseHttpUrl(url)?.hostname;
    if (hostname === undefined) return false;
    return LOOPBACK_HOSTS.includes(hostname) || hostname.endsWith('.localhost') || hosts.includes(hostname);
  };
  return (req, _res, next) => {
    if (!isLocal(`http://${req.headers.host}`)) throw new InvalidRequest('the lobby does not serve this host', 403);
    const { origin } = req.headers;
    if (origin !== undefined && !isLocal(origin)) {
      throw new InvalidRequest('the lobby does not serve pages of this origin', 403);
    }
    next();
  };
}

/** Balances and statements change, so no cache may store them. */
export const noStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};
