/**
 * The SQL functions, this process (not_served: it does not have the game version) or the operator's
 * wallet refuse a command for these reasons. A refusal of the first two moved no money and changed
 * no state, except wallet_uncertain, whose round is void. docs/wallet-protocol.md, "Results", says
 * what one of the wallet leaves behind.
 */
const REFUSALS = [
  'server_maintenance',
  'session_invalid',
  'not_served',
  'login_expired',
  'location_forbidden',
  'key_reused',
  'round_voided',
  'bet_refused',
  'free_round',
  'grant_unknown',
  'grant_mismatch',
  'grant_over',
  'grants_off',
  'stake_limit',
  'round_active',
  'round_settling',
  'too_early',
  'never_played',
  'no_active_round',
  'too_many_events',
  'too_much_event_text',
  'bet_limit',
  'wager_limit',
  'loss_limit',
  'balance_too_low',
  'balance_overflow',
  'operator_limit',
  'operator_maintenance',
  'game_maintenance',
  'game_not_offered',
  'rtp_too_low',
  'other_cell',
  'wallet_refused',
  'wallet_uncertain',
  'player_unconfirmed',
  'balance_unknown',
  'wallet_down',
  'nonce_moved',
  'client_seed_missing',
  'seeds_in_use',
  'seed_unused',
  'seed_unknown',
] as const;

export type Refusal = (typeof REFUSALS)[number];

export type Refused = { ok: false; refusal: Refusal; detail?: string };

export type Outcome<Value> = ({ ok: true } & Value) | Refused;

const KNOWN: ReadonlySet<string> = new Set(REFUSALS);

function isRefusal(outcome: string): outcome is Refusal {
  return KNOWN.has(outcome);
}

/**
 * Turns an outcome into a refusal. An outcome that is neither the command's own nor a refusal
 * throws: then code and SQL have drifted apart.
 */
export function refused(outcome: string): Refused {
  if (!isRefusal(outcome)) throw new Error(`the database returned an unknown outcome: ${outcome}`);
  return { ok: false, refusal: outcome };
}
