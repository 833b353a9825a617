import type { WalletErrorCode } from '@roundhouse/contract';

/** `message` is for a log. */
export type Refused = { ok: false; code: WalletErrorCode; message: string };

/** A movement that is done, now or by an earlier call: the player's balance of this moment, in micros. */
type Moved = { ok: true; balance: bigint };

export type Outcome = Moved | Refused;

export function refuse(code: WalletErrorCode, message: string): Refused {
  return { ok: false, code, message };
}
