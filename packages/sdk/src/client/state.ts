import {
  type AuthenticateResponse,
  type BalanceResponse,
  type EndRoundResponse,
  isRound,
  multiplyMicros,
  type PlayResponse,
  type Round,
  toMicros,
} from '@roundhouse/contract/light';
import type { ClientState } from './clientTypes.ts';

type StateFields = Omit<ClientState, 'canPlay'>;

const NOTHING_KNOWN: StateFields = {
  balance: undefined,
  config: undefined,
  round: undefined,
  activeRound: undefined,
  pending: undefined,
  needsAuthenticate: true,
  sessionStartedAtMs: undefined,
  netPositionMicros: 0,
  grants: [],
  fairness: undefined,
};

/** Holds the state of the client, its listeners, and what each response changes. */
export class StateStore {
  readonly #listeners = new Set<(state: ClientState) => void>();
  #state: ClientState;
  /** The newest round, and when it was first seen (`performance.now()`). */
  #seen: { betID: number; atMs: number } | undefined;
  /** Counts the requests that tell or change the balance. */
  #clock = 0;
  /** The newest of them whose balance is in the state, or may soon be. */
  #newestBalance = 0;

  constructor(start: Partial<StateFields> = {}) {
    this.#state = snapshot({ ...NOTHING_KNOWN, ...start });
  }

  get state(): ClientState {
    return this.#state;
  }

  update(change: Partial<StateFields>): void {
    const names = Object.keys(change) as (keyof StateFields)[];
    if (names.every((name) => Object.is(this.#state[name], change[name]))) return;
    const mine = snapshot({ ...this.#state, ...change });
    this.#state = mine;
    for (const listener of [...this.#listeners]) {
      // A listener that causes a newer state has told it to all of them: the older one is obsolete.
      if (this.#state !== mine) return;
      notify(listener, mine);
    }
  }

  subscribe(listener: (state: ClientState) => void): () => void {
    // It is a new function each time, so that the same listener may subscribe twice.
    const mine = (state: ClientState) => listener(state);
    this.#listeners.add(mine);
    return () => void this.#listeners.delete(mine);
  }

  /** @param isLostPlay whether the shown round is a play of this client whose response was lost */
  authenticated(
    { balance, config, round: shown, meta }: AuthenticateResponse,
    isLostPlay: (newest: Round | undefined) => boolean,
  ): void {
    const round = isRound(shown) ? shown : undefined;
    const { activeRound: before, config: knownConfig, sessionStartedAtMs = Date.now() } = this.#state;
    let { netPositionMicros } = this.#state;
    // Before the first authenticate this client has sent no play.
    if (isLostPlay(round) && round && knownConfig) netPositionMicros += netOf(round);
    if (before && (before.betID !== round?.betID || !round.active)) netPositionMicros += before.payout;
    this.#see(round);
    const activeRound = round?.active ? round : undefined;
    const facts = { balance, config, round, activeRound, sessionStartedAtMs, netPositionMicros };
    this.update({ ...facts, grants: meta?.grants ?? [], fairness: meta?.fairness, needsAuthenticate: false });
  }

  played({ balance, round }: PlayResponse): void {
    this.#see(round);
    const { fairness: before } = this.#state;
    const fairness = before && { ...before, nonce: before.nonce + 1 };
    const netPositionMicros = this.#state.netPositionMicros + netOf(round);
    this.update({ balance, round, activeRound: round.active ? round : undefined, netPositionMicros, fairness });
  }

  roundEnded({ balance }: EndRoundResponse): void {
    const { activeRound, round } = this.#state;
    this.update({
      balance,
      round: activeRound ? { ...activeRound, active: false } : round,
      activeRound: undefined,
      netPositionMicros: this.#state.netPositionMicros + (activeRound?.payout ?? 0),
    });
  }

  eventRecorded(event: string): void {
    if (!this.#state.activeRound) return;
    const round = { ...this.#state.activeRound, event };
    this.update({ round, activeRound: round });
  }

  /** A request that changes or tells the balance together with the round starts or ends. */
  changesBalance(): void {
    this.#clock += 1;
    this.#newestBalance = this.#clock;
  }

  /**
   * A request that only reads the balance starts. Its response counts unless a newer one has told
   * the balance.
   */
  readsBalance(): (response: BalanceResponse) => void {
    this.#clock += 1;
    const mine = this.#clock;
    return ({ balance }) => {
      if (mine < this.#newestBalance) return;
      this.#newestBalance = mine;
      this.update({ balance });
    };
  }

  /**
   * Returns the milliseconds until the minimum round duration allows the next play. The server
   * counts from the moment when it opened the round, which is before this client first saw it: so
   * this is never too early.
   */
  msUntilNextPlay(): number {
    const { minimumRoundDuration = 0 } = this.#state.config?.jurisdiction ?? {};
    return this.#seen ? Math.max(0, Math.ceil(this.#seen.atMs + minimumRoundDuration - performance.now())) : 0;
  }

  #see(round: Round | undefined): void {
    if (round && round.betID !== this.#seen?.betID) this.#seen = { betID: round.betID, atMs: performance.now() };
  }
}

/**
 * Returns what a round of this client's own bet changes at once: the payout of an active round
 * counts when it ends.
 */
function netOf(round: Round): number {
  // The server opens no round whose debit is not exact. The operator pays the bet of a free round.
  const debit = round.grantID ? 0 : (multiplyMicros(toMicros(round.amount), String(round.costMultiplier)) ?? 0);
  return (round.active ? 0 : round.payout) - debit;
}

function snapshot(fields: StateFields): ClientState {
  const { config, activeRound, pending, needsAuthenticate } = fields;
  return Object.freeze({ ...fields, canPlay: !needsAuthenticate && !!config && !activeRound && !pending });
}

/**
 * Errors are treated as an event target does: the page hears of an error of a listener, and the
 * other listeners are called.
 */
function notify(listener: (state: ClientState) => void, state: ClientState): void {
  try {
    listener(state);
  } catch (error) {
    globalThis.reportError?.(error);
  }
}
