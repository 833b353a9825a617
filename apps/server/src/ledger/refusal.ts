/**
 * Why a command was refused, in the words of the SQL functions; not_served is what a node says of a
 * version that it does not have, and the last five are what has become of a call to an operator's
 * wallet. A refused command moved no money and changed no state, but for wallet_uncertain: recovery
 * finds out, and makes it so.
 */
const REFUSALS = [
  'maintenance',
  'session',
  'not_served',
  'login',
  'location',
  'key_reused',
  'given_back',
  'bet_refused',
  'round_active',
  'settling',
  'too_early',
  'never_played',
  'no_active_round',
  'too_many_events',
  'bet_limit',
  'wager_limit',
  'loss_limit',
  'balance',
  'balance_overflow',
  'operator_limit',
  'operator_maintenance',
  'wallet_refused',
  'wallet_uncertain',
  'wallet_down',
] as const;

export type Refusal = (typeof REFUSALS)[number];

export type Refused = { ok: false; refusal: Refusal; detail?: string };

export type Outcome<Value> = ({ ok: true } & Value) | Refused;

const KNOWN: ReadonlySet<string> = new Set(REFUSALS);

function isRefusal(outcome: string): outcome is Refusal {
  return KNOWN.has(outcome);
}

/**
 * For an outcome that is none of the command's own: it must be a refusal, else code and SQL have
 * drifted apart.
 */
export function refused(outcome: string): Refused {
  if (!isRefusal(outcome)) throw new Error(`the database answered an unknown outcome: ${outcome}`);
  return { ok: false, refusal: outcome };
}
