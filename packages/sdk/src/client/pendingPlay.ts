import { isMicros, type Round } from '@roundhouse/contract/light';
import type { Bet, KeyStorage } from './clientTypes.ts';
import { isUnanswered } from './unanswered.ts';

/** `bets`: what was sent under the key, of which one at most is opened. `betID`: the newest round that was known before. */
type PendingPlay = { key: string; bets: Bet[]; betID?: number | undefined };

/**
 * The Idempotency-Key of the play whose outcome is unknown. It is in the storage before the request is sent, and stays there until
 * an answer or an authenticate has told what became of it, over a reload too.
 *
 * One key opens one round at most (wire.md, "play"). So while a key is unsettled every next play goes out under it, whatever its
 * bet: a first request that is still on its way and the new one can never both be debited. When the first one wins, the same bet
 * is answered with its round, and another bet with ERR_VAL, after which authenticate shows the round.
 */
export type PendingPlays = {
  /** Whether a play was sent whose outcome nobody has told. */
  isUnsettled(bet?: Bet): boolean;
  /** Keeps the bet and answers the key to send it with. */
  begin(bet: Bet, newest: Round | undefined): string;
  /** An attempt failed: a refusal says that the play has not happened, everything else says nothing. */
  failed(error: unknown): void;
  /** The play was answered. */
  answered(): void;
  /** After a refusal: forgets the key, unless an attempt with it went unanswered. */
  refused(): void;
  /**
   * Authenticate has shown the newest round. Forgets the key when it is a new one, and answers whether the unsettled play is that
   * round. Another tab's round with the same bet cannot be told from it, and costs nothing: no bet is placed then.
   */
  settle(newest: Round | undefined): boolean;
};

export function createPendingPlays(storage: KeyStorage, name: string): PendingPlays {
  let kept = read(storage, name);
  /** What is found in the storage was sent by a page that is gone. */
  let unanswered = kept !== undefined;

  const keep = (play: PendingPlay | undefined) => {
    kept = play;
    if (play === undefined) {
      unanswered = false;
      storage.removeItem(name);
    } else storage.setItem(name, JSON.stringify(play));
  };

  return {
    isUnsettled: (bet) => unanswered && (bet === undefined || hasBet(kept, bet)),
    begin(bet, newest) {
      const { key, bets } = kept ?? { key: randomKey(), bets: [] };
      keep({ key, bets: hasBet(kept, bet) ? bets : [...bets, bet], betID: newest?.betID });
      return key;
    },
    failed(error) {
      // Also after ERR_GEN: the server itself may have lost the answer of its database.
      if (isUnanswered(error)) unanswered = true;
    },
    answered: () => keep(undefined),
    refused() {
      if (!unanswered) keep(undefined);
    },
    settle(newest) {
      if (!unanswered || !kept || newest === undefined || newest.betID === kept.betID) return false;
      const isOurs = hasBet(kept, newest);
      keep(undefined);
      return isOurs;
    },
  };
}

/** Whether it is the same bet to the server, which takes a mode in upper or lower case. */
export function isSameBet(left: Bet, right: Bet): boolean {
  return left.amount === right.amount && left.mode.toUpperCase() === right.mode.toUpperCase();
}

function hasBet(play: PendingPlay | undefined, bet: Bet): boolean {
  return !!play?.bets.some((each) => isSameBet(each, bet));
}

/** `randomUUID` is there on https pages only. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function read(storage: KeyStorage, name: string): PendingPlay | undefined {
  try {
    const play: PendingPlay = JSON.parse(storage.getItem(name) ?? '');
    const isWhole = typeof play.key === 'string' && play.bets.every((bet) => isMicros(bet.amount) && bet.mode.trim());
    return isWhole ? play : undefined;
  } catch {
    return undefined;
  }
}
