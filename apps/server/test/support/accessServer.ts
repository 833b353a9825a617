import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createOTP } from '@better-auth/utils/otp';
import type { Role } from '@roundhouse/contract/admin-routes';
import { pino } from 'pino';
import { type AccessOptions, DEFAULT_ACCESS, type PasswordHashing } from '../../src/staff/access/accessOptions.ts';
import { createAccess } from '../../src/staff/access/createAccess.ts';
import { addUser } from '../../src/staff/access/users.ts';
import { currentActor } from '../../src/staff/console/actor.ts';
import { startAdminServer } from '../../src/staff/console/adminServer.ts';
import { type Database, openDatabase } from '../../src/store/database/database.ts';
import { setOperator } from '../../src/store/operators/operators.ts';
import { type EventFilter, listEvents } from '../../src/store/watch/significantEvents.ts';
import { createTestDatabase } from './database.ts';
import { freePort } from './roundhouse.ts';
import { useStarted } from './useStarted.ts';

export const PASSWORD = 'a long enough password';
export const OPERATOR = 'acme';
export const OTHER_OPERATOR = 'other';
/** The command line, which belongs to no operator. */
export const BY_COMMAND = { userID: undefined, operatorID: undefined };

/** Tests sign in hundreds of times, and the hash of the product takes a tenth of a second. */
export const QUICK_HASHING: PasswordHashing = {
  hash: async (password) => createHash('sha256').update(password).digest('hex'),
  verify: async ({ hash, password }) => hash === (await QUICK_HASHING.hash(password)),
};

const SECRETS_KEY = 'a1'.repeat(32);
const STEP_MS = 30_000;

export type ConsoleResponse = { status: number; body: any; headers: Headers; cookies: string[] };
export type AccessServer = Awaited<ReturnType<typeof startAccessServer>>;

/** Starts the console with real users on its own database. */
export async function startAccessServer({
  secondFactor = false,
  ...options
}: Partial<AccessOptions> & { secondFactor?: boolean } = {}) {
  const database = await createTestDatabase();
  const db = openDatabase({ url: database.url, actor: currentActor, connections: 8, secretsKey: SECRETS_KEY });
  await setOperator(db, OPERATOR, {});
  await setOperator(db, OTHER_OPERATOR, {});
  const log = pino({ level: 'silent' });
  let close = () => {};
  // If the console has its own address, it does not print its port.
  const port = options.consoleUrl === undefined ? 0 : Number(new URL(options.consoleUrl).port) || (await freePort());
  const startNode = () =>
    startAdminServer({
      ...{ db, reportsDb: db, log, host: '127.0.0.1', port, url: options.consoleUrl, twoPerson: false, secondFactor },
      trustedProxies: ['loopback'],
      players: { url: 'http://localhost:1', publicUrl: 'http://localhost:1' },
      createAccess(consoleUrl) {
        const forTests = { triesPerMinute: 10_000, passwordHashing: QUICK_HASHING };
        const given = { ...DEFAULT_ACCESS, ...forTests, consoleUrl, ...options };
        const access = createAccess({ db, log, secretsKey: SECRETS_KEY, options: given });
        close = access.close;
        return access;
      },
    });
  const server = await startNode();
  const local = port === 0 ? server.url : `http://localhost:${port}`;
  return {
    ...{ url: local, db, databaseUrl: database.url },
    /** A browser keeps its cookies. */
    browser: (headers: Record<string, string> = {}) => openBrowser(local, headers),
    addUser: (user: Partial<TestUserGiven> = {}) => makeUser(db, local, user),
    events: (filter: EventFilter, limit?: number) => readEvents(db, filter, limit),
    async close() {
      close();
      await server.close();
      await db.$disconnect();
      await database.drop();
    },
  };
}

/** Starts the console of a test file. */
export const useAccessServer = (options: Parameters<typeof startAccessServer>[0] = {}): AccessServer =>
  useStarted(() => startAccessServer(options));

async function readEvents(db: Database, filter: EventFilter, limit?: number) {
  const events = await listEvents(db, filter, limit);
  const parse = (text: string | null) => (text === null ? null : JSON.parse(text));
  return events.map(({ actor, kind, subject, before, after }) => ({
    ...{ actor, kind, subject },
    before: parse(before),
    after: parse(after),
  }));
}

export type Browser = ReturnType<typeof openBrowser>;

/** Sends requests as a page of the console does, with the cookies that the server has set. */
export function openBrowser(url: string, given: Record<string, string> = {}) {
  const cookies = new Map<string, string>();
  async function send(method: string, path: string, { body, headers = {}, redirect = 'manual' }: SendOptions = {}) {
    const sent = new Headers({
      ...(method === 'POST' && { origin: url, 'content-type': 'application/json' }),
      ...(cookies.size > 0 && { cookie: [...cookies].map((each) => each.join('=')).join('; ') }),
      ...given,
      ...headers,
    });
    for (const [name, value] of [...sent]) if (value === '') sent.delete(name);
    const response = await fetch(new URL(path, url), {
      ...{ method, headers: sent, redirect },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const set = response.headers.getSetCookie();
    for (const [pair = '', ...attributes] of set.map((each) => each.split('; '))) {
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      const isOver = attributes.some((each) => each.toLowerCase() === 'max-age=0');
      if (isOver) cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : text;
    return { status: response.status, body: parsed, headers: response.headers, cookies: set } as ConsoleResponse;
  }
  const post = (path: string, body: object | string = {}, headers: Record<string, string> = {}) =>
    send('POST', path, { body, headers });
  const get = (path: string, headers: Record<string, string> = {}) => send('GET', path, { headers });
  return {
    ...{ cookies, send, post, get },
    signIn: (email: string, password = PASSWORD) => post('/api/auth/sign-in/email', { email, password }),
    signOut: () => post('/api/auth/sign-out'),
    account: () => get('/admin/account'),
    /** The name of the cookie of the session. */
    sessionCookie: () => [...cookies.keys()].find((name) => name.endsWith('.session_token')),
  };
}

type SendOptions = {
  body?: object | string;
  headers?: Record<string, string>;
  redirect?: NonNullable<RequestInit['redirect']>;
};

type TestUserGiven = { email: string; name: string; role: Role; operator: string | null; password: string | null };

let users = 0;

/** Makes a user who has set the password by the link. */
async function makeUser(db: Database, consoleUrl: string, given: Partial<TestUserGiven>) {
  users += 1;
  const { email = `user${users}@example.com`, name = `User ${users}`, role = 'support', operator = null } = given;
  const { password = PASSWORD } = given;
  const outcome = await addUser(db, { email, name, role, operator }, { by: BY_COMMAND, consoleUrl });
  assert.ok(outcome.ok);
  if (password !== null) {
    const { status } = await setPassword(consoleUrl, outcome.link, password);
    assert.equal(status, 200);
  }
  return { ...outcome.user, link: outcome.link };
}

/** Sets a password by a one-time link, as the page of the link does. */
export function setPassword(consoleUrl: string, link: string, newPassword = PASSWORD): Promise<ConsoleResponse> {
  const token = new URL(link).searchParams.get('token');
  return openBrowser(consoleUrl).post('/api/auth/reset-password', { newPassword, token });
}

/**
 * Adds an authenticator app to the user of the browser. Returns its secret and the recovery codes.
 */
export async function addAuthenticator(browser: Browser) {
  const { body } = await browser.post('/api/auth/two-factor/enable', { password: PASSWORD });
  const secret = secretOf(body.totpURI as string);
  const code = await codeOf(secret, 0);
  const { status } = await browser.post('/api/auth/two-factor/verify-totp', { code });
  assert.equal(status, 200);
  return { secret, recoveryCodes: body.backupCodes as string[] };
}

/**
 * Returns the code of the next step of 30 seconds, or of another one. A code of the next step is
 * accepted now, and still when a step ends meanwhile; the one of now has added the app.
 */
export function codeOf(secret: string, steps = 1): Promise<string> {
  return createOTP(secret).hotp(Math.floor(Date.now() / STEP_MS) + steps);
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function secretOf(uri: string): string {
  const text = new URL(uri).searchParams.get('secret') ?? '';
  const bits = [...text].map((each) => BASE32.indexOf(each).toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{8}/g)?.map((each) => Number.parseInt(each, 2)) ?? [];
  return Buffer.from(bytes).toString('utf8');
}
