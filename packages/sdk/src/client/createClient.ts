import {
  type AuthenticateResponse,
  type LaunchPlay,
  type LaunchReplay,
  learnCurrency,
  MAX_CLIENT_VERSION_CHARACTERS,
  parseLaunchUrl,
} from '@roundhouse/contract/light';
import { BadRequestError, LaunchUrlError } from '../errors.ts';
import type { Client, ClientOptions, FairnessPart } from './clientTypes.ts';
import { createKeyStorage, PendingPlays, storageNameOf } from './pendingPlays.ts';
import { createRequests } from './requests.ts';
import { endRound, play, readBalance, recordEvent } from './round.ts';
import { SDK_VERSION } from './sdkVersion.ts';
import { authenticate, type Core, createIdleRefresh, inKnownSession, isSessionOver, isTimedOut } from './session.ts';
import { StateStore } from './state.ts';

/** A browser's timer has at most this delay. */
const MAX_TIMER_MS = 2_147_483_647;

/** Has the least and the greatest value of each number of the options. */
const LIMITS = {
  timeoutMs: [1, MAX_TIMER_MS],
  maxRetries: [0, Number.POSITIVE_INFINITY],
  retryDelayMs: [0, MAX_TIMER_MS],
  maxRetryDelayMs: [0, MAX_TIMER_MS],
  balanceRefreshMs: [0, MAX_TIMER_MS],
} as const;

/**
 * Makes a client for the session, or the replay, of a launch URL. It sends nothing yet.
 * @throws LaunchUrlError when the URL cannot be used; its message is one that a player may be shown
 * @throws RangeError when a number of the options is outside its limits
 */
export function createClient(options: ClientOptions): Client {
  const launch = parseLaunchUrl(options.url);
  if (launch.kind === 'unusable') throw new LaunchUrlError(launch.issue);
  if (launch.kind === 'play' && !launch.sessionID && !options.funMode) throw new LaunchUrlError('missing-session');
  if (launch.kind === 'replay' && launch.currencyFacts) learnCurrency(launch.currencyFacts);
  const closing = new AbortController();
  const { core, idle } = createCore(launch, options, closing.signal);
  const { store } = core;
  const requireSession = () => {
    requireOpen(closing.signal);
    if (launch.kind === 'replay') throw new BadRequestError('a replay has no session: only replay() can be called');
  };
  const calls = createSessionCalls({ core, requireSession, fairness: options.fairness });

  return {
    launch,
    get state() {
      return store.state;
    },
    subscribe: (listener) => store.subscribe(listener),
    ...calls,
    async replay(book) {
      requireOpen(closing.signal);
      if (!book && launch.kind !== 'replay') throw new BadRequestError('the launch URL names no book to replay');
      return core.requests.replay(book ?? (launch as LaunchReplay));
    },
    msUntilNextPlay: () => store.msUntilNextPlay(),
    close() {
      closing.abort();
      idle.stop();
      if (launch.kind === 'play') store.update({ needsAuthenticate: true });
    },
  };
}

function requireOpen(closed: AbortSignal): void {
  if (closed.aborted) throw new BadRequestError('the client is closed');
}

/** Makes what the calls share, with the defaults of the options. */
function createCore(launch: LaunchPlay | LaunchReplay, options: ClientOptions, closed: AbortSignal) {
  const {
    timeoutMs = 10_000,
    maxRetries = 3,
    retryDelayMs = 300,
    maxRetryDelayMs = 4000,
    balanceRefreshMs = 30_000,
    strictBetLevels = false,
    version = (launch as LaunchPlay).gameVersion ?? 'unknown',
    storage,
    funMode,
    // It is looked up at each request: a page may replace its fetch later.
    fetch = (input, init) => globalThis.fetch(input, init),
  } = options;
  const numbers = { timeoutMs, maxRetries, retryDelayMs, maxRetryDelayMs, balanceRefreshMs };
  for (const name of Object.keys(LIMITS) as (keyof typeof LIMITS)[]) {
    const [least, greatest] = LIMITS[name];
    if (numbers[name] >= least && numbers[name] <= greatest) continue;
    throw new RangeError(`${name} must be from ${least} to ${greatest}, not ${numbers[name]}`);
  }
  const { rgsUrl } = launch;
  const sessionID = launch.kind === 'play' ? launch.sessionID : '';
  const store = new StateStore({ needsAuthenticate: launch.kind === 'play' });
  const idle = createIdleRefresh({
    everyMs: balanceRefreshMs,
    isWanted: () => launch.kind === 'play' && !store.state.needsAuthenticate,
    refresh: () => readBalance(core, { maxRetries: 0 }),
    visibility: typeof document === 'undefined' ? undefined : document,
  });
  const retrying = { timeoutMs, maxRetries, retryDelayMs, maxRetryDelayMs };
  const wire = createRequests({ rgsUrl, sessionID, fetch, closed, onActivity: idle, ...retrying });
  const keys = createKeyStorage(() => storage ?? sessionStorage);
  const isFun = launch.kind === 'play' && !sessionID && funMode;
  const requests = isFun ? { ...wire, send: funMode({ launch, storage: keys, ask: wire.ask }) } : wire;
  const pendingPlays = new PendingPlays(keys, storageNameOf({ rgsUrl, sessionID }));
  const clientVersion = `${version} sdk/${SDK_VERSION}`.slice(0, MAX_CLIENT_VERSION_CHARACTERS);
  const core: Core = { sessionID, store, requests, pendingPlays, strictBetLevels, clientVersion };
  return { core, idle };
}

type SessionCallsDeps = { core: Core; requireSession: () => void; fairness: FairnessPart | undefined };

/** Makes the calls of a session, each in its turn. `requireSession` throws where there is none. */
function createSessionCalls({
  core,
  requireSession,
  fairness,
}: SessionCallsDeps): Pick<
  Client,
  'authenticate' | 'balance' | 'play' | 'endRound' | 'event' | 'history' | 'grants' | 'fairness'
> {
  const { store } = core;
  const inTurn = createTurns(requireSession);
  let deciding: 'play' | 'endRound' | undefined;
  let authenticating: Promise<AuthenticateResponse> | undefined;

  const showPending = () => store.update({ pending: deciding ?? (authenticating && 'authenticate') });

  async function decide<Response>(name: 'play' | 'endRound', task: () => Promise<Response>): Promise<Response> {
    if (deciding) throw new BadRequestError(`${name} was not sent: ${deciding} is pending`);
    deciding = name;
    showPending();
    try {
      return await inTurn(task);
    } finally {
      deciding = undefined;
      showPending();
    }
  }

  function authenticateShared(): Promise<AuthenticateResponse> {
    authenticating ??= inTurn(() => authenticate(core)).finally(() => {
      authenticating = undefined;
      showPending();
    });
    showPending();
    return authenticating;
  }

  /** Makes a call that needs no turn, because it changes nothing about the round. */
  async function readInSession<Response>(read: () => Promise<Response>): Promise<Response> {
    requireSession();
    try {
      return await read();
    } catch (error) {
      if (isSessionOver(error)) store.update({ needsAuthenticate: true });
      if (!isTimedOut(error)) throw error;
      await authenticateShared();
      return read();
    }
  }

  return {
    authenticate: authenticateShared,
    balance: () => readInSession(() => readBalance(core)),
    history: (page = {}) => readInSession(() => core.requests.send({ name: 'history', body: page })),
    async grants(about = {}) {
      const response = await readInSession(() => core.requests.send({ name: 'grants', body: about }));
      store.update({ grants: response.grants });
      return response;
    },
    play({ amount, mode, grantID }) {
      // This copies the bet, with a mode that is a text: the caller's object may change before its
      // turn comes.
      const bet = { amount, mode: String(mode), grantID };
      return decide('play', () => play(core, bet));
    },
    endRound: () => decide('endRound', () => endRound(core)),
    event: (event) => inTurn(() => recordEvent(core, event)),
    fairness: fairness?.({
      store,
      inTurn: (call) => inTurn(() => inKnownSession(core, call)),
      read: readInSession,
      ask: (route, body, ...more) => core.requests.ask(route, { sessionID: core.sessionID, ...body }, ...more),
    }),
  };
}

/**
 * Runs one task after the other, in the order of the calls. With two of them at once an older
 * response could overwrite a newer one, and events could arrive in another order than they
 * happened. A refusal of `requireSession` rejects before the task waits.
 */
function createTurns(requireSession: () => void): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return async (task) => {
    requireSession();
    const mine = last.then(task);
    last = mine.catch(() => undefined);
    return mine;
  };
}
