import type { Ledger } from '../ledger/ledger.ts';
import type { SessionFacts } from '../ledger/queries/sessions.ts';
import type { Outcome } from '../ledger/refusal.ts';

/** Keeps an action of the player in the active round, so that play can resume where it was. */
export function recordEvent(
  { ledger }: { ledger: Ledger },
  { playerID, sessionRowID }: SessionFacts,
  event: string,
): Promise<Outcome<object>> {
  return ledger.recordEvent({ playerID, sessionRowID, event });
}
