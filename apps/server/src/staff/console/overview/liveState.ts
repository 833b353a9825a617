import { setTimeout as pause } from 'node:timers/promises';
import type { Overview } from '@roundhouse/contract/admin';
import type { Logger } from 'pino';
import type { Database } from '../../../store/database/database.ts';
import { type RoundCounter, readRoundCounter } from '../../../store/staff/overview.ts';
import { asActor } from '../actor.ts';
import { overviewOf, roundsToday } from './overviewOf.ts';
import { readState, type State } from './readState.ts';

/** undefined while the database does not respond. */
type Listener = (read: LiveReading | undefined) => void;
/**
 * A reading is the same for all users of an operator, and for all of the server: each part is made
 * once.
 */
export type LiveReading = {
  of(operator: string | undefined): Overview;
  /** Returns each member as JSON. */
  textsOf(operator: string | undefined): ReadonlyMap<string, string>;
};

type Rates = { server: number | null; operators: ReadonlyMap<string, number | null> };
type Tick = { counter: RoundCounter; state: State; rates: Rates; readMs: number; reading: LiveReading };

const TICK_MS = 2_000;
/** After the tables were read, they rest for this multiple of the time that the reading took. */
const REST_FACTOR = 9;
/** A reading that is older than this number of ticks says nothing about current plays. */
const OLD_TICKS = 10;

/**
 * Reads the state every 2 seconds while somebody watches it, once for all who do (decision 029).
 * Without a watcher nothing is read.
 */
export function createLiveState({ db, log }: { db: Pick<Database, '$queryRaw'>; log: Logger }, tickMs = TICK_MS) {
  const listeners = new Set<Listener>();
  let last: Tick | undefined;
  let inProgress: Promise<LiveReading> | undefined;
  let restUntilMs = 0;
  let isRunning = false;

  async function read(): Promise<LiveReading> {
    const readMs = Date.now();
    const counter = await readRoundCounter(db);
    const before = last !== undefined && readMs - last.readMs < OLD_TICKS * tickMs ? last : undefined;
    let state = before?.state;
    if (state === undefined || readMs >= restUntilMs) {
      const startedMs = Date.now();
      state = await readState(db);
      restUntilMs = Date.now() + REST_FACTOR * (Date.now() - startedMs);
    }
    const rates = ratesOf(before, { counter, state });
    const { server, operators } = rates;
    const reading = readingOf((operator) => ({
      ...overviewOf(state, operator),
      playsPerSecond: operator === undefined ? server : (operators.get(operator) ?? null),
    }));
    last = { counter, state, rates, readMs, reading };
    return reading;
  }

  /** All who want it now get the same reading. */
  function readOnce(): Promise<LiveReading> {
    inProgress ??= asActor('console', read).finally(() => {
      inProgress = undefined;
    });
    return inProgress;
  }

  const recent = () => (last !== undefined && Date.now() - last.readMs < tickMs ? last.reading : undefined);

  async function run(): Promise<void> {
    while (listeners.size > 0) {
      const reading = await readOnce().catch((err: unknown) => {
        log.warn({ err }, 'the overview cannot be read');
        return undefined;
      });
      for (const listener of listeners) listener(reading);
      await pause(tickMs, undefined, { ref: false });
    }
    isRunning = false;
  }

  return {
    /** Returns a reading that is at most 2 seconds old. */
    now: async (): Promise<LiveReading> => recent() ?? readOnce(),

    /** Calls the listener now and then every 2 seconds, until the returned function is called. */
    watch(listener: Listener): () => void {
      listeners.add(listener);
      const reading = recent();
      if (reading !== undefined) listener(reading);
      if (!isRunning) {
        isRunning = true;
        void asActor('console', run);
      }
      return () => void listeners.delete(listener);
    },
  };
}

/** Makes each part when the first one wants it. */
function readingOf(make: LiveReading['of']): LiveReading {
  const overviews = new Map<string | undefined, Overview>();
  const texts = new Map<string | undefined, ReadonlyMap<string, string>>();
  const of: LiveReading['of'] = (operator) => {
    const overview = overviews.get(operator) ?? make(operator);
    overviews.set(operator, overview);
    return overview;
  };
  const textsOf: LiveReading['textsOf'] = (operator) => {
    const made =
      texts.get(operator) ??
      new Map(Object.entries(of(operator)).map(([name, value]) => [name, JSON.stringify(value)]));
    texts.set(operator, made);
    return made;
  };
  return { of, textsOf };
}

/**
 * The sequence of rounds counts those of all operators; one operator's are in the totals of today.
 */
function ratesOf(before: Tick | undefined, { counter, state }: Pick<Tick, 'counter' | 'state'>): Rates {
  if (before === undefined) return { server: null, operators: new Map() };
  const server = perSecond(counter.rounds - before.counter.rounds, { from: before.counter.at, to: counter.at });
  if (state === before.state) return { server, operators: before.rates.operators };
  if (state.day !== before.state.day) return { server, operators: new Map() };
  const codes = new Set(state.days.map(({ operator }) => operator));
  const period = { from: before.state.at, to: state.at };
  const rateOf = (code: string) => perSecond(roundsToday(state, code) - roundsToday(before.state, code), period);
  return { server, operators: new Map([...codes].map((code) => [code, rateOf(code)])) };
}

/** Returns it with one decimal; null when a restored database has counted back. */
function perSecond(rounds: bigint, { from, to }: { from: Date; to: Date }): number | null {
  const ms = to.getTime() - from.getTime();
  return ms > 0 && rounds >= 0n ? Math.round((Number(rounds) * 10_000) / ms) / 10 : null;
}
