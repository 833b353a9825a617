import { errorResponse } from '../../base/http/responses.ts';

export type Turns = {
  /**
   * Runs the work when it is the turn of its owner. Returns a refusal when too many works of the
   * same owner wait.
   */
  run<Value>(owner: string, work: () => Promise<Value>): Promise<Value | TooMany>;
};

export type Places = {
  /**
   * Returns a function that gives the slot back, or a refusal when the user has as many as allowed.
   */
  take(userID: string): (() => void) | TooMany;
};

/** 429: the same request may succeed when another one of the same owner has ended. */
type TooMany = { status: 429; body: ReturnType<typeof errorResponse>['body']; isBrief: true };

/**
 * A tab of a browser takes one slot. Without a limit one user's streams keep all others waiting.
 */
export const LIVE_PLACES = { each: 6, all: 600, what: 'live pages' };
/** Downloads, comparisons and checks run for as long as they have rows. */
export const JOB_PLACES = { each: 2, all: 16, what: 'downloads, comparisons or checks' };
/**
 * An office has one address. Each look-up of a session takes a connection for some milliseconds.
 */
export const SESSION_TURNS = { each: 12, waiting: 512 };
/** A sign-in takes a core for a tenth of a second, for the hash of its password. */
export const ACCOUNT_TURNS = { each: 4, waiting: 64 };
/** A report may take a connection for a minute: the second one of a user waits for the first. */
export const REPORT_TURNS = { each: 1, waiting: 8 };
/** The page sends some requests at once. Three of a user leave connections for the others. */
export const REQUEST_TURNS = { each: 3, waiting: 64 };

/**
 * Lets at most `each` pieces of work of an owner run at a time, which is a user or an address.
 * Others of the same owner wait in their order, at most `waiting` of them. Owners do not wait for
 * each other.
 */
export function createTurns({ each, waiting: mostWaiting }: { each: number; waiting: number }): Turns {
  const owners = new Map<string, { running: number; waiting: (() => void)[] }>();
  return {
    async run(owner, work) {
      const own = owners.get(owner) ?? { running: 0, waiting: [] };
      owners.set(owner, own);
      if (own.running >= each) {
        if (own.waiting.length >= mostWaiting) return tooMany(`${each + mostWaiting} of your requests run or wait`);
        // A job that ends hands its turn over, so the count stays.
        await new Promise<void>((resolve) => own.waiting.push(resolve));
      } else own.running += 1;
      try {
        return await work();
      } finally {
        const next = own.waiting.shift();
        if (next !== undefined) next();
        else own.running -= 1;
        if (own.running === 0) owners.delete(owner);
      }
    },
  };
}

/** Gives at most `each` slots to a user, and `all` to all users. */
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
