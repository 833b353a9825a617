/** Plays the free rounds that an operator gives: `@roundhouse/sdk/grants`. */
import type { Grant, GrantDecision, PlayResponse } from '@roundhouse/contract/light';
import type { Client, ClientState, KeyStorage } from './client/clientTypes.ts';
import { createKeyStorage, storageNameOf } from './client/pendingPlays.ts';
import { BadRequestError } from './errors.ts';

/** A browser's timer has at most this delay. */
const MAX_TIMER_MS = 2_147_483_647;

/** When the server has not reached an instant yet, the grants are read again after this time. */
const CLOCK_DIFFERENCE_MS = 30_000;

/** What a game shows of the player's free rounds, as one frozen snapshot. */
export type GrantsState = {
  /** The grant to play now: the oldest one that is accepted or automatic. */
  readonly current: Grant | undefined;
  /** The grant to offer now: the oldest one without a decision. It waits for a current one. */
  readonly offer: Grant | undefined;
  /** The open grants that the player keeps for later, oldest first. */
  readonly later: readonly Grant[];
  /**
   * The grant that was current or offered and has ended: finished, expired or cancelled. It says
   * how many rounds were used and what they have won, and stays until `acknowledge`.
   */
  readonly ended: Grant | undefined;
};

export type GrantsOptions = {
  /**
   * Keeps what the player keeps for later. The default is `sessionStorage`; memory where blocked.
   */
  storage?: KeyStorage;
};

export type Grants = {
  readonly state: GrantsState;
  /** Calls the listener after each change until the returned function is called. */
  subscribe(listener: (state: GrantsState) => void): () => void;
  /**
   * Plays a round of an open grant, with its amount and mode. It rejects as `client.play` does.
   * When the server refuses it, `state` says why: the grant may have ended.
   */
  play(grant: Pick<Grant, 'grantID'>): Promise<PlayResponse>;
  /**
   * Takes the offer, also one that was kept for later. A grant that has ended is a
   * `BadRequestError`.
   */
  accept(grantID: string): Promise<void>;
  /** Gives the unused rounds back, for good. A grant that has ended is a `BadRequestError`. */
  decline(grantID: string): Promise<void>;
  /** Keeps a grant aside in this session, until it is accepted. Nothing is sent. */
  later(grantID: string): void;
  /**
   * Reads the grants again. It happens automatically after each free round, and when a grant
   * expires.
   */
  refresh(): Promise<void>;
  /** Resolves when no reading of the grants is pending. It never rejects. */
  settled(): Promise<void>;
  /** The player has seen how the grant has ended. */
  acknowledge(): void;
  /** Stops the timer and follows the client no longer. */
  close(): void;
};

/** Follows the free rounds of a client. It sends nothing before `client.authenticate` does. */
export function createGrants(client: Client, { storage }: GrantsOptions = {}): Grants {
  const listeners = new Set<(state: GrantsState) => void>();
  const aside = createAside(client, storage);
  let known: readonly Grant[] = [];
  /** Rounds of this grant were opened after `known` was read. */
  let taken: { grantID: string; rounds: number } | undefined;
  let newestBetID: number | undefined;
  let completedBetID: number | undefined;
  /** The game has been told the end of this grant. */
  let watched: string | undefined;
  let ended: Grant | undefined;
  let state = stateOf([], aside, ended);
  let last: Promise<unknown> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** One request after the other: an older response must not overwrite a newer one. */
  function ask(decision?: { grantID: string; decision: GrantDecision }): Promise<void> {
    const mine = last.then(async () => {
      const grantID = decision?.grantID ?? watched;
      const { grants } = await client.grants({ ...(grantID && { grantID }), ...decision }).catch((error) => {
        // The server does not know it any more. The next request reads the open ones only.
        if (!decision && error.kind === 'bad-request') watched = undefined;
        throw error;
      });
      if (!grants.some((grant) => grant.grantID === watched)) watched = undefined;
    });
    last = mine.catch(() => undefined);
    return mine;
  }

  const refreshSilently = () => ask().catch(() => undefined);

  async function decide(grantID: string, decision: GrantDecision): Promise<void> {
    await ask({ grantID, decision }).catch(explained);
    aside.remove(grantID);
    publish();
  }

  /** The server has refused something about a grant: its state says why. */
  async function explained(error: unknown): Promise<never> {
    if ((error as BadRequestError).code === 'ERR_VAL') await refreshSilently();
    throw error;
  }

  function follow({ grants, round, activeRound }: ClientState): void {
    const isNew = grants !== known;
    const isPlayed = !isNew && round !== undefined && round.betID !== newestBetID;
    if (isNew) taken = undefined;
    if (isPlayed && round.grantID) {
      const before = taken?.grantID === round.grantID ? taken.rounds : 0;
      taken = { grantID: round.grantID, rounds: before + 1 };
    }
    known = grants;
    newestBetID = round?.betID;
    if (activeRound?.grantID) watched = activeRound.grantID;
    // The grants of authenticate count the rounds that it shows as completed.
    const isCompleted = !!round?.grantID && !round.active && round.betID !== completedBetID;
    if (round && !round.active) completedBetID = round.betID;
    if (isNew || isPlayed) publish();
    const isGone = watched !== undefined && !known.some(({ grantID }) => grantID === watched);
    if ((isCompleted && !isNew) || (isNew && isGone)) void refreshSilently();
  }

  function publish(): void {
    const end = known.find(({ grantID }) => grantID === watched);
    // An open round of a grant that is over is played to its end first, and pays.
    if (end && !isOpen(end) && client.state.activeRound?.grantID !== watched) {
      watched = undefined;
      // The player knows what they have declined.
      if (end.state !== 'declined') ended = end;
      // The balance has the wins of the whole grant only now.
      if (end.paidAtEnd && end.won > 0) client.balance().catch(() => undefined);
    }
    state = stateOf(known.filter(isOpen).map(withTaken), aside, ended);
    watched = (state.current ?? state.offer)?.grantID ?? watched;
    schedule();
    for (const listener of [...listeners]) listener(state);
  }

  function withTaken(grant: Grant): Grant {
    if (grant.grantID !== taken?.grantID) return grant;
    const rounds = Math.min(taken.rounds, grant.left);
    return { ...grant, state: 'accepted', used: grant.used + rounds, left: grant.left - rounds };
  }

  /** A grant that expires is read again at that instant. */
  function schedule(): void {
    clearTimeout(timer);
    const instants = known.filter(isOpen).map(({ expiresAt }) => Date.parse(expiresAt));
    if (instants.length === 0) return;
    const waitMs = Math.min(...instants) - Date.now();
    timer = setTimeout(refreshSilently, Math.min(MAX_TIMER_MS, waitMs > 0 ? waitMs : CLOCK_DIFFERENCE_MS));
  }

  const unsubscribe = client.subscribe(follow);
  follow(client.state);
  return {
    get state() {
      return state;
    },
    subscribe(listener) {
      const mine = (changed: GrantsState) => listener(changed);
      listeners.add(mine);
      return () => void listeners.delete(mine);
    },
    async play({ grantID }) {
      const grant = known.find((each) => each.grantID === grantID);
      if (!grant) throw new BadRequestError('the bet was not sent: there is no such grant');
      const { amount, mode } = grant;
      return client.play({ amount, mode, grantID }).catch(explained);
    },
    accept: (grantID) => decide(grantID, 'accept'),
    decline: (grantID) => decide(grantID, 'decline'),
    later(grantID) {
      aside.add(grantID);
      publish();
    },
    refresh: () => ask(),
    settled: () => last.then(() => undefined),
    acknowledge() {
      ended = undefined;
      publish();
    },
    close() {
      unsubscribe();
      clearTimeout(timer);
    },
  };
}

function isOpen({ state }: Grant): boolean {
  return state === 'offered' || state === 'accepted';
}

function stateOf(open: readonly Grant[], aside: Aside, ended: Grant | undefined): GrantsState {
  const wanted = open.filter(({ grantID }) => !aside.has(grantID));
  const current = wanted.find(({ state, automatic }) => automatic || state === 'accepted');
  const later = open.filter(({ grantID }) => aside.has(grantID));
  return Object.freeze({ current, offer: current ? undefined : wanted[0], later, ended });
}

type Aside = { has(grantID: string): boolean; add(grantID: string): void; remove(grantID: string): void };

/** Keeps the grantIDs that the player keeps for later, under a name of the session. */
function createAside({ launch }: Client, storage: KeyStorage | undefined): Aside {
  const keys = createKeyStorage(() => storage ?? sessionStorage);
  const { rgsUrl } = launch;
  const sessionID = launch.kind === 'play' ? launch.sessionID : '';
  const name = `${storageNameOf({ rgsUrl, sessionID })}.later`;
  const grantIDs = new Set(read(keys.getItem(name)));
  const keep = () => keys.setItem(name, JSON.stringify([...grantIDs]));
  return {
    has: (grantID) => grantIDs.has(grantID),
    add(grantID) {
      grantIDs.add(grantID);
      keep();
    },
    remove(grantID) {
      if (grantIDs.delete(grantID)) keep();
    },
  };
}

function read(text: string | null): string[] {
  try {
    const kept = JSON.parse(text ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}
