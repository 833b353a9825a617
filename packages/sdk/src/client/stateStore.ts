import type { ClientState } from './clientTypes.ts';

export type StateFacts = Omit<ClientState, 'canPlay'>;

export type StateStore = {
  readonly state: ClientState;
  update(change: Partial<StateFacts>): void;
  subscribe(listener: (state: ClientState) => void): () => void;
};

const NOTHING_KNOWN: StateFacts = {
  balance: undefined,
  config: undefined,
  round: undefined,
  activeRound: undefined,
  pending: undefined,
  needsAuthenticate: true,
  sessionStartedAtMs: undefined,
  netPositionMicros: 0,
};

export function createStateStore(start: Partial<StateFacts> = {}): StateStore {
  const listeners = new Set<(state: ClientState) => void>();
  let state = snapshot({ ...NOTHING_KNOWN, ...start });

  return {
    get state() {
      return state;
    },
    update(change) {
      const names = Object.keys(change) as (keyof StateFacts)[];
      if (names.every((name) => Object.is(state[name], change[name]))) return;
      const mine = snapshot({ ...state, ...change });
      state = mine;
      for (const listener of [...listeners]) {
        // A listener that has caused a newer state has told it to all of them: the older one is no news any more.
        if (state !== mine) return;
        tell(listener, mine);
      }
    },
    subscribe(listener) {
      // A function of its own, so that the same listener may subscribe twice.
      const mine = (news: ClientState) => listener(news);
      listeners.add(mine);
      return () => void listeners.delete(mine);
    },
  };
}

function snapshot(facts: StateFacts): ClientState {
  const { config, activeRound, pending, needsAuthenticate } = facts;
  return Object.freeze({ ...facts, canPlay: !needsAuthenticate && !!config && !activeRound && !pending });
}

/** As an event target does: what a listener throws is reported to the page, and the others are told all the same. */
function tell(listener: (state: ClientState) => void, state: ClientState): void {
  try {
    listener(state);
  } catch (error) {
    globalThis.reportError?.(error);
  }
}
