import { LRUCache } from 'lru-cache';
import type { LookUps } from '../ledger/lookUps.ts';
import type { FoundSession } from '../ledger/queries/sessions.ts';
import type { KnownSession, Wallets } from '../wallets/wallet.ts';
import { operatorPrefixOf, sha256Of } from './sessionToken.ts';

type Found = { kind: 'session'; session: KnownSession } | Exclude<FoundSession, { kind: 'session' }>;

/** Turns a sessionID into what is known of its session. Remembers only what never changes; see SessionFacts. */
export type SessionDirectory = {
  /** The session, if it has authenticated before or was issued by us. */
  find(sessionID: string): Promise<KnownSession | undefined>;
  lookUp(sessionID: string): Promise<Found>;
  /** Told of each session and launch that this node makes: that there was none is forgotten at once, here. */
  issued(sessionID: string): void;
};

const MAX_REMEMBERED = 100_000;
/** For so long another node's new session may stay unknown here, to whoever asked for it just before it was made. */
const UNKNOWN_MS = 1_000;
const MAX_UNKNOWN = 20_000;

export function createSessionDirectory(lookUps: LookUps, wallets: Wallets): SessionDirectory {
  const remembered = new LRUCache<string, Found & { kind: 'session' }>({ max: MAX_REMEMBERED });
  const unknown = new LRUCache<string, Found>({ max: MAX_UNKNOWN, ttl: UNKNOWN_MS });
  const underWay = new Map<string, Promise<Found>>();

  const ask = (key: string, sessionID: string, tokenSha256: Buffer): Promise<Found> => {
    const startMs = performance.now();
    const asking = lookUps
      .session({ tokenSha256, prefix: operatorPrefixOf(sessionID) })
      .then((answer) => {
        const found = withWallet(answer, wallets);
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

  const lookUp = (sessionID: string): Promise<Found> | Found => {
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
      return found.kind === 'session' ? found.session : undefined;
    },
    issued(sessionID) {
      const key = sha256Of(sessionID).toString('base64');
      unknown.delete(key);
      underWay.delete(key);
    },
  };
}

/** The wallet of a session is chosen here, and nowhere else. */
function withWallet(found: FoundSession, { house, seamless }: Wallets): Found {
  if (found.kind !== 'session') return found;
  return { kind: 'session', session: { ...found.facts, wallet: found.facts.isSeamless ? seamless : house } };
}
