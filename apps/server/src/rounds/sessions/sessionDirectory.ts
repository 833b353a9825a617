import { isStorableText } from '@roundhouse/contract';
import type { TraceSpan } from '@roundhouse/service';
import { LRUCache } from 'lru-cache';
import type { LookUps } from '../../store/rounds/lookUps.ts';
import type { FoundSession } from '../../store/rounds/sessions.ts';
import type { KnownSession, Wallets } from '../wallets/wallet.ts';
import { operatorPrefixOf, sha256TextOf } from './sessionToken.ts';

type Found = FoundSession<KnownSession>;

/** Finds the session of a sessionID. It remembers only what never changes; see SessionFacts. */
export type SessionDirectory = {
  /** Finds the session when it has authenticated before or this server has issued it. */
  find(sessionID: string, trace?: TraceSpan): Promise<KnownSession | undefined>;
  lookUp(sessionID: string, trace?: TraceSpan): Promise<Found>;
  /**
   * Called with each session and launch that this node creates, so that the node forgets at once
   * that it was unknown.
   */
  issued(sessionID: string): void;
  /** Counts the sessions that were found within this time in milliseconds, by operatorID. */
  active(withinMs: number): Map<number, number>;
};

/** usedMs: the time at which the session was last found. */
type Remembered = Found & { kind: 'session'; usedMs: number };

const MAX_REMEMBERED = 100_000;
/**
 * Time in milliseconds for which a session may stay unknown here after another node has created it,
 * when a look-up came before it.
 */
const UNKNOWN_MS = 1_000;
const MAX_UNKNOWN = 20_000;

export function createSessionDirectory(lookUps: LookUps, wallets: Wallets): SessionDirectory {
  const remembered = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED });
  const unknown = new LRUCache<string, Found>({ max: MAX_UNKNOWN, ttl: UNKNOWN_MS });
  const inFlight = new Map<string, Promise<Found>>();

  const startLookUp = (key: string, sessionID: string, trace: TraceSpan | undefined): Promise<Found> => {
    const startMs = performance.now();
    const tokenSha256 = Buffer.from(key, 'base64');
    const named = operatorPrefixOf(sessionID);
    // One text that PostgreSQL refuses would fail the look-ups of all sessions in its batch.
    const prefix = named !== undefined && isStorableText(named) ? named : undefined;
    const pending = lookUps
      .session({ tokenSha256, prefix }, trace)
      .then((result) => {
        const found = withWallet(result, wallets);
        if (found.kind === 'session') remembered.set(key, { ...found, usedMs: performance.now() });
        // A session that was issued meanwhile is known. The time counts from the start of the
        // look-up, which may have waited.
        else if (found.kind === 'unknown' && inFlight.get(key) === pending) unknown.set(key, found, { start: startMs });
        return found;
      })
      .finally(() => {
        if (inFlight.get(key) === pending) inFlight.delete(key);
      });
    inFlight.set(key, pending);
    return pending;
  };

  const lookUp = (sessionID: string, trace: TraceSpan | undefined): Promise<Found> | Found => {
    const key = sha256TextOf(sessionID);
    const session = remembered.get(key);
    if (session !== undefined) {
      session.usedMs = performance.now();
      return session;
    }
    return unknown.get(key) ?? inFlight.get(key) ?? startLookUp(key, sessionID, trace);
  };

  return {
    async lookUp(sessionID, trace) {
      return lookUp(sessionID, trace);
    },
    async find(sessionID, trace) {
      const found = await lookUp(sessionID, trace);
      return found.kind === 'session' ? found.session : undefined;
    },
    issued(sessionID) {
      const key = sha256TextOf(sessionID);
      unknown.delete(key);
      inFlight.delete(key);
    },
    active(withinMs) {
      const sinceMs = performance.now() - withinMs;
      const counts = new Map<number, number>();
      // The cache begins with the session that was used last.
      for (const { session, usedMs } of remembered.values()) {
        if (usedMs < sinceMs) break;
        counts.set(session.operatorID, (counts.get(session.operatorID) ?? 0) + 1);
      }
      return counts;
    },
  };
}

/** Chooses the wallet of a session. No other code does. */
function withWallet(found: FoundSession, { house, seamless }: Wallets): Found {
  if (found.kind !== 'session') return found;
  const { kind, session } = found;
  return { kind, session: { ...session, wallet: session.isSeamless ? seamless : house } };
}
