import { multiplyMicros, type Round, toMicros } from '@roundhouse/contract/light';

/** What the player has won or lost while this client lives. */
export type NetPosition = {
  readonly micros: number;
  /** This client's bet has opened the round. */
  debited(round: Round): void;
  /** A round that this client knew as active, or has opened, is completed. */
  paid(round: Round): void;
};

export function createNetPosition(): NetPosition {
  let micros = 0;
  return {
    get micros() {
      return micros;
    },
    debited({ amount, costMultiplier }) {
      // The server opens no round whose debit is not exact.
      micros -= multiplyMicros(toMicros(amount), String(costMultiplier)) ?? 0;
    },
    paid({ payout }) {
      micros += payout;
    },
  };
}
