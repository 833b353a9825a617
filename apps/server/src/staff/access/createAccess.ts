import type { IncomingHttpHeaders } from 'node:http';
import { fromNodeHeaders } from 'better-auth/node';
import express, { type Request, type Response, Router } from 'express';
import type { Logger } from 'pino';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { loopbackOrigins } from '../../base/address.ts';
import { networkOf } from '../../base/networkOf.ts';
import { type Database, requireConnection } from '../../store/database/database.ts';
import { findSessionUsers, prolongSession, purgeSignIns } from '../../store/staff/consoleSignIns.ts';
import { asActor } from '../console/actor.ts';
import { ACCOUNT_TURNS, createTurns } from '../console/turns.ts';
import type { AccessOptions } from './accessOptions.ts';
import { type Attempt, runAttempt } from './attempt.ts';
import { ADDRESS_HEADER } from './auth.ts';
import { authSecretsOf } from './authSecrets.ts';
import { createAuthSource } from './authSource.ts';
import { type Access, actorOf } from './caller.ts';
import { beginsSession, isOfProvider, isOpen, isTry } from './openPaths.ts';
import { findCaller } from './users.ts';

const MOST_BODY_BYTES = 65_536;
const PURGE_MS = 3_600_000;
/** A session is extended at most this often. */
const PROLONG_STEP_MS = 30_000;
const TRIES_SECONDS = 60;

export type AccessDeps = {
  db: Database;
  log: Logger;
  /** These keys encrypt operators' secrets, as in ROUNDHOUSE_SECRETS_KEY. */
  secretsKey: string;
  options: AccessOptions;
};

/**
 * Makes what serves users and sessions.
 * @throws SecretKeyError when there is no key.
 */
export function createAccess({ db, log, secretsKey, options }: AccessDeps): Access & { close(): void } {
  const secrets = authSecretsOf(secretsKey);
  const { origin } = new URL(options.consoleUrl);
  const origins = loopbackOrigins(origin);
  const source = createAuthSource({ db, log, secrets, options });
  const limiter = new RateLimiterMemory({ points: options.triesPerMinute, duration: TRIES_SECONDS });
  const turns = createTurns(ACCOUNT_TURNS);
  const purging = setInterval(() => {
    purgeSignIns(db).catch((err: unknown) => log.warn({ err }, 'sessions that have ended are not removed yet'));
  }, PURGE_MS).unref();

  const signedIn: Access['signedIn'] = async (req, { keepAlive }) => {
    if (req.headers.cookie === undefined) return undefined;
    const found = await source
      .current()
      .api.getSession({ headers: headersOf(req) })
      .catch(async (error: unknown) => {
        // The library hides the error of a lost connection behind its own.
        await requireConnection(db);
        throw error;
      });
    if (found === null) return undefined;
    const { session, user } = found;
    const endsAt = new Date(session.createdAt.getTime() + options.lifetimeMs);
    if (endsAt <= new Date()) return undefined;
    if (keepAlive && session.expiresAt.getTime() - Date.now() < options.idleTimeoutMs - PROLONG_STEP_MS) {
      await prolongSession(db, session.id, options);
    }
    const caller = await findCaller(db, user.id);
    return caller && { caller, sessionID: session.id, endsAt };
  };

  const router = Router();
  router.use(express.json({ limit: MOST_BODY_BYTES, strict: true }), async (req, res) => {
    res.set('Cache-Control', 'no-store');
    const path = req.path;
    if (req.method === 'GET' && path === '/methods') return void res.json(methodsOf(options));
    if (!isOpen(req.method, path, options.oidc)) return refuse(res, 404, 'NOT_FOUND', 'there is no such path');
    // The console also responds at its local address, but its cookies and passkeys do not work
    // there.
    const from = req.headers.origin;
    if (beginsSession(path) && from !== undefined && !origins.includes(from)) {
      return refuse(res, 403, 'OTHER_ADDRESS', `Sign in at ${origin}: this address has no sign-in.`);
    }
    // PostgreSQL has no such character in a text.
    if (/\\u0000|%00/.test(JSON.stringify(req.body ?? {}) + req.url)) {
      return refuse(res, 400, 'INVALID_CHARACTER', 'a text has a character that cannot be stored');
    }
    const address = req.ip ?? '';
    if (isTry(path) && (await limiter.consume(networkOf(address)).catch(() => null)) === null) {
      return refuse(res, 429, 'TOO_MANY_TRIES', 'too many tries from this address; wait a minute');
    }
    const isBackground = req.headers['x-background'] !== undefined || req.method === 'GET';
    const attempt: Attempt = { address };
    const response = await turns.run(networkOf(address), async () => {
      const user = await signedIn(req, { keepAlive: !isBackground });
      const used = isOfProvider(path) ? await source.withProvider() : source.current();
      const work = () => runAttempt(attempt, () => used.handler(requestOf(req, { origin, address })));
      return asActor(user === undefined ? 'unknown' : actorOf(user.caller), work);
    });
    if ('isBrief' in response) return refuse(res, response.status, 'TOO_MANY_REQUESTS', response.body.message);
    if (response.status >= 500) {
      await requireConnection(db);
      throw attempt.error ?? new Error(`the library for accounts responded with ${response.status} to ${path}`);
    }
    await send(res, response);
  });
  return {
    router,
    signedIn,
    findCaller: (userID) => findCaller(db, userID),
    sessionUsers: (sessionIDs) => findSessionUsers(db, sessionIDs),
    close: () => clearInterval(purging),
  };
}

/** Tells the page what it offers to somebody who is not signed in. */
function methodsOf({ oidc }: AccessOptions) {
  return { passwords: oidc?.isOnly !== true, singleSignOn: oidc === undefined ? null : { name: oidc.name } };
}

function requestOf(req: Request, { origin, address }: { origin: string; address: string }): globalThis.Request {
  const headers = headersOf(req);
  headers.set(ADDRESS_HEADER, address);
  const isPost = req.method === 'POST';
  // A client may write another host into the target of its request.
  const url = new URL(req.baseUrl + req.path, origin);
  url.search = new URL(req.url, origin).search;
  if (isPost) headers.set('content-type', 'application/json');
  const body = isPost ? JSON.stringify(req.body ?? {}) : null;
  return new globalThis.Request(url, { method: req.method, headers, body });
}

/** The body is written anew, and with it its length and encoding. */
function headersOf({ headers }: { headers: IncomingHttpHeaders }): Headers {
  const {
    'content-length': _length,
    'transfer-encoding': _encoding,
    connection: _connection,
    expect: _expect,
    ...others
  } = headers;
  return fromNodeHeaders(others);
}

async function send(res: Response, response: globalThis.Response): Promise<void> {
  res.status(response.status);
  for (const [name, value] of response.headers) if (name !== 'set-cookie') res.setHeader(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) res.setHeader('set-cookie', cookies);
  res.end(Buffer.from(await response.arrayBuffer()));
}

function refuse(res: Response, status: number, code: string, message: string): void {
  res.status(status).json({ code, message });
}
