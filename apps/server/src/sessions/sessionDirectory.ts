import { LRUCache } from 'lru-cache';
import type { LookUps } from '../ledger/lookUps.ts';
import type { FoundSession, SessionFacts } from '../ledger/queries/findSession.ts';
import { operatorPrefixOf, sha256Of } from './sessionToken.ts';

/** Turns a sessionID into what is known of its session. Remembers only what never changes; see SessionFacts. */
export type SessionDirectory = {
  /** The session, if it has authenticated before or was issued by us. */
  find(sessionID: string): Promise<SessionFacts | undefined>;
  lookUp(sessionID: string): Promise<FoundSession>;
  /** Told of each session and launch that this node makes: that there was none is forgotten at once, here. */
  issued(sessionID: string): void;
};

const MAX_REMEMBERED = 100_000;
/** For so long another node's new session may stay unknown here, to whoever asked for it just before it was made. */
const UNKNOWN_MS = 1_000;
const MAX_UNKNOWN = 20_000;

export function createSessionDirectory(lookUps: LookUps): SessionDirectory {
  const remembered = new LRUCache<string, FoundSession & { kind: 'session' }>({ max: MAX_REMEMBERED });
  const unknown = new LRUCache<string, FoundSession>({ max: MAX_UNKNOWN, ttl: UNKNOWN_MS });
  const underWay = new Map<string, Promise<FoundSession>>();

  const ask = (key: string, sessionID: string, tokenSha256: Buffer): Promise<FoundSession> => {
    const startMs = performance.now();
    const asking = lookUps
      .session({ tokenSha256, prefix: operatorPrefixOf(sessionID) })
      .then((found) => {
        if (found.kind === 'session') remembered.set(key, found);
        // Not when it has been issued meanwhile. A moment counts from the question, which may have waited.
        else if (found.kind === 'unknown' && underWay.get(key) === asking) unknown.set(key, found, { start: startMs });
        return found;
      })
      .finally(() => {
        if (underWay.get(key) === asking) underWay.delete(key);
      });
    underWay.set(key, asking);
    return asking;
  };

  const lookUp = (sessionID: string): Promise<FoundSession> | FoundSession => {
    const tokenSha256 = sha256Of(sessionID);
    const key = tokenSha256.toString('base64');
    return remembered.get(key) ?? unknown.get(key) ?? underWay.get(key) ?? ask(key, sessionID, tokenSha256);
  };

  return {
    async lookUp(sessionID) {
      return lookUp(sessionID);
    },
    async find(sessionID) {
      const found = await lookUp(sessionID);
      return found.kind === 'session' ? found.facts : undefined;
    },
    issued(sessionID) {
      const key = sha256Of(sessionID).toString('base64');
      unknown.delete(key);
      underWay.delete(key);
    },
  };
}
