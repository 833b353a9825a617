import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tries } from '../../store/staff/consoleSignIns.ts';

/** The rules remember this from before a request is handled until after it. */
export type Attempt = {
  address: string;
  /** The counters that the try was charged to; a success forgets them. */
  charged?: readonly Tries[];
  /** Further tries of this one are not checked for a while. */
  locks?: 'address' | 'device' | 'account' | 'session' | 'second factor';
  /** The session or the challenge was of this user before the request. */
  user?: { id: string; email: string; hasSecondFactor: boolean };
  /** The request had a session. */
  hasSession?: boolean;
  /** The library responds with 500 to what it has caught here. */
  error?: unknown;
};

const storage = new AsyncLocalStorage<Attempt>();

export function runAttempt<Value>(attempt: Attempt, work: () => Promise<Value>): Promise<Value> {
  return storage.run(attempt, work);
}

/** Returns an empty one for our own calls, which no request has begun. */
export function currentAttempt(): Attempt {
  return storage.getStore() ?? { address: '' };
}
