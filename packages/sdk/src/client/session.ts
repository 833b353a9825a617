import { type AuthenticateResponse, type FAIRNESS_ROUTES, learnCurrency } from '@roundhouse/contract/light';
import { isOutcomeUnknown, isRgsError } from '../errors.ts';
import { type PendingPlays, randomKey } from './pendingPlays.ts';
import type { Requests } from './requests.ts';
import { isObject } from './responses.ts';
import type { StateStore } from './state.ts';

/** The table of all routes of seeds would be in every game. */
const CLIENT_SEED_ROUTE: (typeof FAIRNESS_ROUTES)['clientSeed'] = { method: 'POST', path: '/fairness/client-seed' };

/** The calls of one client share this. */
export type Core = {
  /** It is empty where the page plays for fun. */
  readonly sessionID: string;
  readonly store: StateStore;
  readonly requests: Requests;
  readonly pendingPlays: PendingPlays;
  readonly strictBetLevels: boolean;
  /** Names the version of the front end and of the SDK. */
  readonly clientVersion: string;
};

/** Called with the error of each attempt. */
type OnFailure = (error: unknown) => void;

/**
 * Reads the player's present round and balance into the state. The caller holds a turn for it, or
 * is another call that holds one.
 */
export async function authenticate(core: Core): Promise<AuthenticateResponse> {
  const { store, requests, pendingPlays, clientVersion } = core;
  store.changesBalance();
  try {
    const response = await requests.send({ name: 'authenticate', body: { clientVersion } });
    // Engine's server has null where there is no round.
    response.round ??= {};
    // The page learns the currency before the state has its code, because listeners write amounts.
    const { currency } = response.config;
    if (currency) learnCurrency(currency);
    await setFirstClientSeed(core, response);
    store.authenticated(response, (newest) => pendingPlays.settleBy(newest));
    return response;
  } catch (error) {
    if (isSessionOver(error)) store.update({ needsAuthenticate: true });
    throw error;
  } finally {
    store.changesBalance();
  }
}

/**
 * Gives a player with provably fair draws who has no client seed yet one of the browser's own
 * randomness. When that fails the server refuses plays, and the next authenticate tries again.
 */
async function setFirstClientSeed({ requests, sessionID }: Core, { meta }: AuthenticateResponse): Promise<void> {
  if (meta?.fairness?.clientSeed !== null) return;
  const body = { sessionID, clientSeed: randomKey() };
  Object.assign(meta, await requests.ask(CLIENT_SEED_ROUTE, body, isObject).catch(() => undefined));
}

/**
 * Makes a call about the round from a known state: authenticates first when the state is unknown,
 * and once more when the session has timed out, because the operator may still know it. When the
 * call fails and its outcome is unknown, the state says so.
 */
export async function inKnownSession<Response>(
  core: Core,
  call: (onFailure: OnFailure) => Promise<Response>,
): Promise<Response> {
  let isUnknown = false;
  const onFailure: OnFailure = (error) => {
    isUnknown ||= isOutcomeUnknown(error);
  };
  try {
    if (core.store.state.needsAuthenticate) await authenticate(core);
    return await call(onFailure).catch(async (error) => {
      if (!isTimedOut(error)) throw error;
      await authenticate(core);
      return call(onFailure);
    });
  } catch (error) {
    if (isUnknown || leavesStateUnknown(error)) core.store.update({ needsAuthenticate: true });
    throw error;
  }
}

export function isSessionOver(error: unknown): boolean {
  return isRgsError(error) && error.kind === 'session-over';
}

/** Authenticate may revive the session. */
export function isTimedOut(error: unknown): boolean {
  return isRgsError(error) && error.code === 'ERR_IS';
}

/**
 * Returns whether the server's state may differ from the state here: the session is over, or the
 * server has refused a request that was right by the state here, because another tab of the player
 * has opened or ended a round.
 */
function leavesStateUnknown(error: unknown): boolean {
  if (isOutcomeUnknown(error)) return true;
  return isSessionOver(error) || (isRgsError(error) && error.kind === 'bad-request' && !!error.code);
}

type Visibility = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>;

export type IdleRefresh = {
  /** A request starts, or ends: the idle time begins anew. */
  begin(): void;
  end(): void;
  stop(): void;
};

export type IdleRefreshOptions = {
  /** 0 switches it off. */
  everyMs: number;
  /** Returns whether there is anything to refresh. */
  isWanted: () => boolean;
  refresh: () => Promise<unknown>;
  /** Undefined where there is no document: then it never pauses. */
  visibility: Visibility | undefined;
};

/**
 * Refreshes after some time without a request. A hidden page sends nothing, and when it is shown
 * again a due refresh starts at once. Errors are silent: the next call of the game meets the same
 * one. An ended session ends the refreshing: otherwise an open page would keep it alive for ever.
 */
export function createIdleRefresh({ everyMs, isWanted, refresh, visibility }: IdleRefreshOptions): IdleRefresh {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let openRequests = 0;
  let isDue = false;
  let isStopped = false;

  const rest = () => {
    isDue = false;
    clearTimeout(timer);
    timer = undefined;
  };
  const run = () => {
    isDue = visibility?.hidden === true;
    if (!isDue && isWanted()) refresh().catch((error) => isSessionOver(error) && rest());
  };
  const onVisibility = () => {
    if (isDue) run();
  };
  visibility?.addEventListener('visibilitychange', onVisibility);

  return {
    begin() {
      openRequests += 1;
      rest();
    },
    end() {
      openRequests -= 1;
      if (openRequests === 0 && everyMs > 0 && !isStopped) timer = setTimeout(run, everyMs);
    },
    stop() {
      isStopped = true;
      rest();
      visibility?.removeEventListener('visibilitychange', onVisibility);
    },
  };
}
