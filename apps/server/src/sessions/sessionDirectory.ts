import { LRUCache } from 'lru-cache';
import type { Database } from '../ledger/database.ts';
import { findSession, type SessionFacts } from '../ledger/queries/findSession.ts';
import { sha256Of } from './sessionToken.ts';

/** Turns a sessionID into the facts of its session. Remembers only what never changes; see SessionFacts. */
export type SessionDirectory = {
  find(sessionID: string): Promise<SessionFacts | undefined>;
};

const MAX_REMEMBERED = 100_000;

export function createSessionDirectory(db: Database): SessionDirectory {
  const remembered = new LRUCache<string, SessionFacts>({ max: MAX_REMEMBERED });
  return {
    async find(sessionID) {
      const tokenSha256 = sha256Of(sessionID);
      const key = tokenSha256.toString('base64');
      const known = remembered.get(key);
      if (known !== undefined) return known;
      // A session that is not there is not remembered: it may be issued a moment later.
      const facts = await findSession(db, tokenSha256);
      if (facts !== undefined) remembered.set(key, facts);
      return facts;
    },
  };
}
