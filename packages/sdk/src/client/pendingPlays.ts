import { isMicros, type LaunchPlay, type Round } from '@roundhouse/contract/light';
import { isOutcomeUnknown } from '../errors.ts';
import type { Bet, KeyStorage } from './clientTypes.ts';

/**
 * `bets`: sent under the key, of which one at most is opened. `betID`: the newest round that was
 * known before.
 */
type PendingPlay = { key: string; bets: Bet[]; betID?: number | undefined };

/**
 * Keeps the Idempotency-Key of the play whose outcome is unknown. It is in the storage before the
 * request is sent, and stays there until a response or an authenticate shows the outcome, over a
 * reload too.
 *
 * One key opens one round at most. So while a key is pending each play is sent under it, whatever
 * its bet: the first request and the new one can never both be debited (decision 009). When the
 * first one wins, the same bet gets its round as response, and another bet gets ERR_VAL, after
 * which authenticate shows the round.
 */
export class PendingPlays {
  readonly #storage: KeyStorage;
  readonly #name: string;
  #kept: PendingPlay | undefined;
  /**
   * Says whether an attempt went without a certain outcome. A page that is gone has sent what is in
   * the storage.
   */
  #isUncertain: boolean;

  constructor(storage: KeyStorage, name: string) {
    this.#storage = storage;
    this.#name = name;
    this.#kept = read(storage, name);
    this.#isUncertain = this.#kept !== undefined;
  }

  /** Returns whether there is a play, or this play, whose outcome is unknown. */
  isUncertain(bet?: Bet): boolean {
    return this.#isUncertain && (bet === undefined || hasBet(this.#kept, bet));
  }

  /** Keeps the bet, and returns the key to send it with. */
  begin(bet: Bet, newest: Round | undefined): string {
    const { key, bets } = this.#kept ?? { key: randomKey(), bets: [] };
    this.#kept = { key, bets: hasBet(this.#kept, bet) ? bets : [...bets, bet], betID: newest?.betID };
    this.#storage.setItem(this.#name, JSON.stringify(this.#kept));
    return key;
  }

  /**
   * An attempt failed. The play may also have happened after ERR_GEN: the server may have lost its
   * database.
   */
  failed(error: unknown): void {
    if (isOutcomeUnknown(error)) this.#isUncertain = true;
  }

  /** The play has a response. */
  settled(): void {
    this.#kept = undefined;
    this.#isUncertain = false;
    this.#storage.removeItem(this.#name);
  }

  /**
   * The play was refused: the key is forgotten unless the outcome of an attempt with it is unknown.
   */
  refused(): void {
    if (!this.#isUncertain) this.settled();
  }

  /**
   * Authenticate has shown the newest round. Forgets the key when the round is new, and returns
   * whether it is the pending play. A round of another tab with the same bet looks the same, and
   * costs nothing: no bet is placed then.
   */
  settleBy(newest: Round | undefined): boolean {
    if (!this.#isUncertain || !newest || newest.betID === this.#kept?.betID) return false;
    const isOurs = hasBet(this.#kept, newest);
    this.settled();
    return isOurs;
  }
}

/**
 * Returns whether the server takes both as the same bet: a mode may be in upper or lower case. A
 * bet that names no grant may have become a round of one that is automatic.
 */
export function isSameBet({ amount, mode, grantID }: Bet, placed: Bet): boolean {
  const isItsGrant = !grantID || grantID === placed.grantID;
  return isItsGrant && amount === placed.amount && mode.toUpperCase() === placed.mode.toUpperCase();
}

/**
 * Keeps in memory what the storage does not take: it may be blocked (then even its name throws),
 * full or absent. A key in memory does not outlive a reload, after which authenticate still shows
 * the round.
 */
export function createKeyStorage(storage: () => KeyStorage): KeyStorage {
  const memory = new Map<string, string>();
  return {
    getItem: (name) => memory.get(name) ?? attempt(() => storage().getItem(name)) ?? null,
    setItem(name, value) {
      memory.set(name, value);
      attempt(() => storage().setItem(name, value));
    },
    removeItem(name) {
      memory.delete(name);
      attempt(() => storage().removeItem(name));
    },
  };
}

/**
 * Returns the name of a session's pending play. The sessionID is a credential, so only a digest of
 * it is part of the name.
 */
export function storageNameOf({ rgsUrl, sessionID }: Pick<LaunchPlay, 'rgsUrl' | 'sessionID'>): string {
  const text = `${rgsUrl} ${sessionID}`;
  return `roundhouse.play.${fnv1a(text, 0x811c9dc5)}${fnv1a(text, 0x050c5d1f)}`;
}

/**
 * Hashes with FNV-1a, 32 bits. `crypto.subtle` exists on https pages only, and two halves of 32
 * bits tell sessions apart.
 */
function fnv1a(text: string, basis: number): string {
  let hash = basis;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash.toString(36);
}

function hasBet(play: PendingPlay | undefined, bet: Bet): boolean {
  return !!play?.bets.some((each) => isSameBet(each, bet));
}

/** Makes 128 bits of the browser's randomness. `randomUUID` exists on https pages only. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function read(storage: KeyStorage, name: string): PendingPlay | undefined {
  return attempt(() => {
    const play: PendingPlay = JSON.parse(storage.getItem(name) ?? '');
    const isWhole = typeof play.key === 'string' && play.bets.every((bet) => isMicros(bet.amount) && bet.mode.trim());
    return isWhole ? play : undefined;
  });
}

function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
