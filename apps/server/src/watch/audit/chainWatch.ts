import type { Logger } from 'pino';
import { startSweep } from '../../base/sweep.ts';
import type { Database } from '../../store/database/database.ts';
import { type ChainHead, type ChainIssue, startChainCheck } from '../../store/watch/eventChain.ts';
import {
  atOneMoment,
  type ChainPlace,
  findChainHead,
  readChain,
  START_OF_CHAIN,
  walkEvents,
} from '../../store/watch/significantEvents.ts';

/**
 * The number of events in a slice, which is read in pages: at 18 µs of processor time for each
 * event, a slice takes 0.4 s. A page takes 4 ms, because the process also serves players
 * (decision 030).
 */
const EVENTS_OF_A_SLICE = 20_000;
const EVENTS_OF_A_PAGE = 200;

/** The current round of the watch, from the first event to the head. */
type Round = { check: ReturnType<typeof startChainCheck>; place: ChainPlace };

export type ChainState = {
  /** It is undefined until the whole log was verified once, or an issue was found. */
  isVerified: boolean | undefined;
  /** The whole log was last verified then, whatever was found. */
  checkedAt: Date | undefined;
};

export type ChainWatch = {
  state(): ChainState;
  stop(): Promise<void>;
};

type ChainWatchOptions = {
  db: Database;
  log: Logger;
  /** It waits this long between two slices. */
  pauseMs: number;
  eventsOfSlice?: number;
};

/**
 * Verifies the log of significant events again and again, a slice at a time: the chain of hashes
 * carries over. An event that somebody changes behind the present slice is found in the next round.
 * The head of the last whole round is kept, so that a log that is cut off or rewritten is also
 * found; the log is then never whole again for this process.
 */
export function watchChain({ db, log, pauseMs, eventsOfSlice = EVENTS_OF_A_SLICE }: ChainWatchOptions): ChainWatch {
  let state: ChainState = { isVerified: undefined, checkedAt: undefined };
  let kept: ChainHead | undefined;
  let round = newRound(kept);

  function found(issue: ChainIssue | undefined): void {
    if (issue !== undefined && state.isVerified !== false)
      log.error({ ...issue }, 'the log of significant events is broken; `roundhouse audit verify` names each event');
    if (issue === undefined && state.isVerified === false) log.info('the log of significant events is whole again');
    state = { ...state, isVerified: issue === undefined };
  }

  /** Reads the last events and the head in one moment: no event comes between the two. */
  async function finish({ check, place }: Round): Promise<void> {
    const { head, issues } = await atOneMoment(db, async (tx) => {
      for await (const event of walkEvents(tx, place)) check.add(event);
      const head = await findChainHead(tx);
      return { head, ...check.finish(head) };
    });
    found(issues[0]);
    if (issues.length === 0) kept = head;
    state = { ...state, checkedAt: new Date() };
  }

  async function verifySlice(isStopped: () => boolean): Promise<boolean> {
    for (let read = 0; read < eventsOfSlice && !isStopped(); read += EVENTS_OF_A_PAGE) {
      const events = await readChain(db, { after: round.place, limit: EVENTS_OF_A_PAGE });
      for (const event of events) round.check.add(event);
      round.place = events.at(-1) ?? round.place;
      const issue = round.check.firstIssue();
      if (issue !== undefined) found(issue);
      if (events.length === EVENTS_OF_A_PAGE) continue;
      const ended = round;
      // A finish that fails has already added some events. Then the round also begins anew.
      round = newRound(kept);
      await finish(ended);
      round = newRound(kept);
      break;
    }
    return false;
  }

  const sweep = startSweep(verifySlice, {
    pauseMs,
    onError: (error) =>
      log.warn({ err: error }, 'the log of significant events could not be verified; it is tried again'),
  });
  return { state: () => state, stop: sweep.stop };
}

function newRound(exported: ChainHead | undefined): Round {
  return { check: startChainCheck({ exported }), place: START_OF_CHAIN };
}
