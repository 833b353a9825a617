import { errorResponse } from '../http/responses.ts';

export type Turns = {
  /** Runs the work when it is the user's turn. Returns a refusal when too many of the user's wait. */
  run<Value>(userID: string, work: () => Promise<Value>): Promise<Value | TooMany>;
};

export type Places = {
  /** Returns what gives the place back, or a refusal when the user has as many as allowed. */
  take(userID: string): (() => void) | TooMany;
};

/** 429: the same request may succeed when one of the user's others has ended. */
type TooMany = { status: 429; body: ReturnType<typeof errorResponse>['body']; isBrief: true };

/** A tab of a browser takes one place. Without a limit one user's streams keep all others waiting. */
export const LIVE_PLACES = { each: 6, all: 600, what: 'live pages' };
/** Downloads, comparisons and checks run for as long as they have rows. */
export const JOB_PLACES = { each: 2, all: 16, what: 'downloads, comparisons or checks' };
/** A report may take a connection for a minute: the second one of a user waits for the first. */
export const REPORT_TURNS = { each: 1, waiting: 8 };
/** The page sends some requests at once. Three of a user leave connections for the others. */
export const REQUEST_TURNS = { each: 3, waiting: 64 };

/**
 * Lets at most `each` pieces of work of a user run at a time. Others of the same user wait in their
 * order, at most `waiting` of them. Users do not wait for each other here.
 */
export function createTurns({ each, waiting: mostWaiting }: { each: number; waiting: number }): Turns {
  const users = new Map<string, { running: number; waiting: (() => void)[] }>();
  return {
    async run(userID, work) {
      const user = users.get(userID) ?? { running: 0, waiting: [] };
      users.set(userID, user);
      if (user.running >= each) {
        if (user.waiting.length >= mostWaiting) return tooMany(`${each + mostWaiting} of your requests run or wait`);
        // Whoever ends hands its turn over, so the count stays.
        await new Promise<void>((resolve) => user.waiting.push(resolve));
      } else user.running += 1;
      try {
        return await work();
      } finally {
        const next = user.waiting.shift();
        if (next !== undefined) next();
        else user.running -= 1;
        if (user.running === 0) users.delete(userID);
      }
    },
  };
}

/** Gives at most `each` places to a user, and `all` to all users. */
export function createPlaces({ each, all, what }: { each: number; all: number; what: string }): Places {
  const taken = new Map<string, number>();
  let sum = 0;
  return {
    take(userID) {
      const own = taken.get(userID) ?? 0;
      if (own >= each) return tooMany(`you have ${each} ${what} open already`);
      if (sum >= all) return tooMany(`all users together have ${all} ${what} open already`);
      taken.set(userID, own + 1);
      sum += 1;
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        sum -= 1;
        const left = (taken.get(userID) ?? 0) - 1;
        if (left > 0) taken.set(userID, left);
        else taken.delete(userID);
      };
    },
  };
}

function tooMany(message: string): TooMany {
  const { body } = errorResponse('ERR_VAL', `${message}: end one, or wait`);
  return { status: 429, body, isBrief: true };
}
