import type { ConfiguredCurrency } from '@roundhouse/contract';
import { adminContract } from '@roundhouse/contract/admin';
import { ADMIN_ROUTES, type AdminRouteName, type Role } from '@roundhouse/contract/admin-routes';
import { pino } from 'pino';
import { expect } from 'vitest';
import type * as z from 'zod';
import type { Access, Caller } from '../../src/staff/access/caller.ts';
import { currentActor } from '../../src/staff/console/actor.ts';
import { startAdminServer } from '../../src/staff/console/adminServer.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { findOperatorID } from '../../src/store/operators/operators.ts';
import type { TestServer } from './testServer.ts';
import { useStarted } from './useStarted.ts';

/** A request names its user here: sign-in has its own tests. */
const USER_HEADER = 'x-test-user';
const ONE_HOUR_MS = 3_600_000;

export type TestUser = { role: Role; operator?: string; email?: string };
export type AdminResponse = { status: number; body: any; text: string; headers: Headers };
type RequestOptions = {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | undefined>;
  body?: object;
  headers?: Record<string, string>;
};

/** `secretsKey` encrypts the secrets of operators. */
type AdminOptions = { twoPerson?: boolean; secretsKey?: string; currencies?: readonly ConfiguredCurrency[] };

export type TestAdmin = Awaited<ReturnType<typeof startTestAdmin>>;

/** Starts the console of a test server. `as` returns what a user of a role may send. */
export async function startTestAdmin(
  server: TestServer,
  { twoPerson = false, secretsKey, currencies = [] }: AdminOptions = {},
) {
  const key = secretsKey === undefined ? {} : { secretsKey };
  const db = openDatabase({ url: server.databaseUrl, actor: currentActor, connections: 4, ...key });
  const log = pino({ level: 'info' }, { write: (line: string) => void server.logLines.push(line) });
  const ended = new Set<string>();
  const admin = await startAdminServer({
    ...{
      db,
      reportsDb: db,
      log,
      currencies,
      twoPerson,
      secondFactor: false,
      host: '127.0.0.1',
      port: 0,
      url: undefined,
    },
    players: { url: server.url, publicUrl: server.url },
    createAccess: () => headerAccess(server, ended),
  });
  const send = async (path: string, { user, ...init }: RequestInit & { user?: TestUser }): Promise<AdminResponse> => {
    const headers = new Headers(init.headers);
    if (user !== undefined) headers.set(USER_HEADER, JSON.stringify(user));
    if (init.method === 'POST' && !headers.has('origin')) headers.set('origin', admin.url);
    const response = await fetch(admin.url + path, { ...init, headers });
    const text = await response.text();
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      // A stream, a file or a page is not JSON.
    }
    return { status: response.status, body, text, headers: response.headers };
  };
  const as = (user: TestUser) => ({
    /** Sends the request of this name. Its response is held against the contract. */
    async call(name: AdminRouteName, { params = {}, query = {}, body, headers }: RequestOptions = {}) {
      const { method, path } = ADMIN_ROUTES[name];
      const given = Object.entries(query).filter((each): each is [string, string | number] => each[1] !== undefined);
      const search = new URLSearchParams(given.map(([key, value]): [string, string] => [key, String(value)]));
      const filled = path.replace(/:(\w+)/g, (_all, key: string) => encodeURIComponent(String(params[key])));
      const response = await send(`${filled}${search.size > 0 ? `?${search}` : ''}`, {
        user,
        method,
        headers: { ...(method === 'POST' && { 'content-type': 'application/json' }), ...headers },
        ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
      });
      expectContract(name, response);
      return response;
    },
  });
  return {
    ...{ url: admin.url, db, send, as },
    /** Ends the sessions of this user. */
    endSessions: (email: string) => void ended.add(email),
    async close() {
      await admin.close();
      await db.$disconnect();
    },
  };
}

/** Starts the console of the test server of a file. */
export const useTestAdmin = (server: TestServer, options: AdminOptions = {}): TestAdmin =>
  useStarted(() => startTestAdmin(server, options));

/** Believes the header. Nobody signs in. */
function headerAccess({ db }: Pick<TestServer, 'db'>, ended: ReadonlySet<string>): Access {
  const seen = new Map<string, Caller>();
  return {
    router: (_req, _res, next) => next(),
    async signedIn(req) {
      const header = req.get(USER_HEADER);
      if (header === undefined) return undefined;
      const { role, operator: code, email = `${role}@${code ?? 'server'}.example` } = JSON.parse(header) as TestUser;
      if (ended.has(email)) return undefined;
      const operatorID = code === undefined ? undefined : await findOperatorID(db, code);
      if (code !== undefined && operatorID === undefined) throw new Error(`there is no operator ${code}`);
      const caller: Caller = {
        ...{
          userID: email,
          email,
          name: role,
          role,
          hasSecondFactor: true,
          hasAuthenticator: true,
          passwordAlone: false,
        },
        operator: operatorID !== undefined && code !== undefined ? { operatorID, code } : undefined,
      };
      seen.set(email, caller);
      return { caller, sessionID: email, endsAt: new Date(Date.now() + ONE_HOUR_MS) };
    },
    findCaller: async (userID) => seen.get(userID),
    sessionUsers: async (sessionIDs) =>
      [...seen.values()]
        .filter(({ userID }) => sessionIDs.includes(userID) && !ended.has(userID))
        .map(({ userID, role, operator }) => ({
          ...{ sessionID: userID, userID, role },
          operatorID: operator?.operatorID ?? null,
        })),
  };
}

type Routes = Record<string, { responses: Record<number, z.ZodType | undefined> } | undefined>;

function expectContract(name: AdminRouteName, { status, body }: AdminResponse): void {
  const route = (adminContract as unknown as Routes)[name];
  if (route === undefined) return;
  const schema = route.responses[status];
  expect(schema, `${name} has a response ${status}: ${JSON.stringify(body)}`).toBeDefined();
  const parsed = schema?.safeParse(body);
  expect(parsed?.error?.message, `${name} ${status} ${JSON.stringify(body)?.slice(0, 500)}`).toBeUndefined();
}
