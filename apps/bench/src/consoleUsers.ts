import { setTimeout as wait } from 'node:timers/promises';
import { serveParent } from './child.ts';

/** After each response a user looks at it for about this time: half of it to one and a half. */
const THINK_MS = 1_000;
const PASSWORD = 'what the users of the bench sign in with';

type User = {
  cookie: string;
  /** The user starts with this request of the list, so the users do different things at once. */
  first: number;
  watchesOverview: boolean;
  playerID: string;
  betID: number;
};
type Wanted = { path: string; body?: object };

/** What the players of the database have, and the days of the reports. */
type Subjects = { operator: string; players: number; rounds: number; from: string; to: string };
type Asked = Subjects & User;

/** A user sends these one after the other, again and again, with a pause after each. */
const REQUESTS = {
  'search a betID': ({ betID }) => ({ path: '/admin/search', body: { text: String(betID) } }),
  'open a round': ({ betID }) => ({ path: `/admin/rounds/${betID}` }),
  'its book': ({ betID }) => ({ path: `/admin/rounds/${betID}/book` }),
  'search the start of a playerID': ({ playerID }) => ({
    path: '/admin/search',
    body: { text: playerID.slice(0, -1) },
  }),
  'open a player': ({ operator, playerID }) => ({ path: `/admin/players/${operator}/${playerID}` }),
  'rounds of a player': ({ operator, playerID }) => ({ path: `/admin/rounds?operator=${operator}&player=${playerID}` }),
  'wallet transactions of a player': ({ operator, playerID }) => ({
    path: `/admin/wallet-transactions?operator=${operator}&player=${playerID}`,
  }),
  'parked wallet transactions': () => ({ path: '/admin/wallet-transactions?state=parked' }),
  'revenue of a month': ({ from, to }) => ({ path: `/admin/reports/revenue?from=${from}&to=${to}&by=day,game` }),
  'performance of a month': ({ from, to }) => ({ path: `/admin/reports/performance?from=${from}&to=${to}` }),
} as const satisfies Record<string, (asked: Asked) => Wanted>;

export type RequestName = keyof typeof REQUESTS;
export const REQUEST_NAMES = Object.keys(REQUESTS) as RequestName[];

/** `signIn` comes first. `repeat` sends one kind of request by one user, without pauses. */
export type UsersJob =
  | { do: 'signIn'; url: string; links: readonly string[]; watchers: number; subjects: Subjects }
  | { do: 'begin' }
  | { do: 'end' }
  | { do: 'repeat'; name: RequestName; times: number };

/** Milliseconds of each request until the end of its response. */
export type UsersResult = Partial<Record<RequestName, number[]>>;

let consoleUrl = '';
let subjects: Subjects;
let users: User[] = [];
let working: { stop: AbortController; times: UsersResult; loops: Promise<unknown> } | undefined;

serveParent<UsersJob, UsersResult>(async (job) => {
  switch (job.do) {
    case 'signIn':
      ({ url: consoleUrl, subjects } = job);
      users = [];
      for (const link of job.links) users.push(await signIn(link, job.watchers));
      return {};
    case 'begin':
      working = begin();
      return {};
    case 'end': {
      if (working === undefined) throw new Error('nobody works');
      const { stop, times, loops } = working;
      stop.abort();
      await loops;
      return times;
    }
    case 'repeat': {
      const times: number[] = [];
      while (times.length < job.times) times.push(await request(job.name, users[0] as User));
      return { [job.name]: times };
    }
  }
});

/** Sets the password by the one-time link, and signs in with it, as the page does. */
async function signIn(link: string, watchers: number): Promise<User> {
  const url = new URL(link);
  const email = `user-${users.length}@bench.example`;
  await send({
    path: '/api/auth/reset-password',
    body: { token: url.searchParams.get('token'), newPassword: PASSWORD },
  });
  const { headers } = await send({ path: '/api/auth/sign-in/email', body: { email, password: PASSWORD } });
  const cookie = headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  return { cookie, first: users.length, watchesOverview: users.length < watchers, playerID: 'player-1', betID: 1 };
}

function begin(): NonNullable<typeof working> {
  const stop = new AbortController();
  const times: UsersResult = {};
  const loops = Promise.all(
    users.flatMap((user) => [
      work(user, { signal: stop.signal, times }),
      ...(user.watchesOverview ? [watchOverview(user, stop.signal)] : []),
    ]),
  );
  // `end` rejects with what went wrong meanwhile.
  loops.catch(() => {});
  return { stop, times, loops };
}

async function work(user: User, { signal, times }: { signal: AbortSignal; times: UsersResult }): Promise<void> {
  const think = () => wait(THINK_MS * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
  for (let at = user.first; ; at += 1) {
    await think();
    if (signal.aborted) return;
    const name = REQUEST_NAMES[at % REQUEST_NAMES.length] as RequestName;
    const ms = await request(name, user);
    times[name] = [...(times[name] ?? []), ms];
  }
}

/** Sends a request about a random player, or a random round of the past. */
async function request(name: RequestName, user: User): Promise<number> {
  user.playerID = `player-${1 + Math.floor(Math.random() * subjects.players)}`;
  user.betID = 1 + Math.floor(Math.random() * subjects.rounds);
  const startedMs = performance.now();
  await (await send({ ...REQUESTS[name]({ ...subjects, ...user }), cookie: user.cookie })).arrayBuffer();
  return performance.now() - startedMs;
}

async function watchOverview({ cookie }: User, signal: AbortSignal): Promise<void> {
  try {
    const { body } = await send({ path: '/admin/overview/live', cookie, signal });
    const reader = body?.getReader();
    while (reader !== undefined && !(await reader.read()).done);
    throw new Error('the console ended the overview');
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

type Sent = Wanted & { cookie?: string; signal?: AbortSignal };

async function send({ path, body, cookie, signal }: Sent): Promise<Response> {
  const response = await fetch(consoleUrl + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      Origin: consoleUrl,
      ...(cookie !== undefined && { Cookie: cookie }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
  if (!response.ok) throw new Error(`${path} responded ${response.status}: ${await response.text()}`);
  return response;
}
