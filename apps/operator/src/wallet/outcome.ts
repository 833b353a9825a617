import type { WalletErrorCode } from '@roundhouse/contract';

/** Lists the refusals, by their names in prisma/functions. The game server logs the text. */
const REFUSALS = {
  session_unknown: ['ERR_IS', 'the session is unknown or has timed out'],
  login_expired: ['ERR_ATE', 'the login of the player has expired'],
  token_of_another: ['ERR_ATE', 'the token is not the one of the launch'],
  location_blocked: ['ERR_LOC', 'play is not allowed from the location of the player'],
  session_of_another: ['ERR_VAL', 'the session is for another player, game or currency'],
  loss_limit_exceeded: ['ERR_GLE', 'the daily loss limit of the player would be exceeded'],
  balance_too_low: ['ERR_IPB', 'the balance does not cover the bet'],
  balance_full: ['ERR_GE', 'the balance cannot hold the amount'],
  free_bet_incomplete: ['ERR_VAL', 'a debit has an amount above 0, or is 0 with a grantID and a freeBet'],
  other_content: ['ERR_DUP', 'the transactionID was used for something else'],
  rolled_back_before: ['ERR_VAL', 'the debit was rolled back before it arrived'],
  debit_unknown: ['ERR_BNF', 'there is no such debit'],
  debit_unknown_and_barred: ['ERR_BNF', 'there is no such debit; a later one is refused'],
  debit_of_another: ['ERR_VAL', 'the debit is of another round, player, game or currency'],
  debit_of_another_grant: ['ERR_VAL', 'the debit is of another grant, or has no grant'],
  grant_paid: ['ERR_VAL', 'the winnings of the grant have been paid'],
  debit_rolled_back: ['ERR_VAL', 'the debit was rolled back'],
  round_closed: ['ERR_VAL', 'the round is closed'],
  cursor_unknown: ['ERR_VAL', 'the cursor is unknown'],
  round_paid: ['ERR_VAL', 'the round has been paid'],
} as const satisfies Record<string, readonly [WalletErrorCode, string]>;
export type RefusalName = keyof typeof REFUSALS;

/** A refusal. `message` is for the log of the game server. */
export type Refused = { ok: false; code: WalletErrorCode; message: string };

/** A success of this request or an earlier equal one has the current balance in micros. */
export type Outcome = { ok: true; balance: bigint } | Refused;

export function refused(name: RefusalName): Refused {
  const [code, message] = REFUSALS[name];
  return { ok: false, code, message };
}

export function outcomeOf({ refusal, balance }: { refusal: RefusalName | null; balance: bigint }): Outcome {
  return refusal === null ? { ok: true, balance } : refused(refusal);
}
