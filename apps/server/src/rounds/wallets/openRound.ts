import type { TraceSpan } from '@roundhouse/service';
import type { OpenRoundCommand, OpenRoundOutcome } from '../../ledger/commands.ts';
import type { Ledger } from '../../ledger/ledger.ts';

type Opening = OpenRoundCommand & { playerID: bigint; grantID: string | undefined };

/**
 * Opens a round. It is a free round when the bet names a grant, or when the account has an
 * automatic grant that fits; otherwise the player pays. A player without grants costs one command.
 */
export async function openRound(
  ledger: Pick<Ledger, 'openRound' | 'openFreeRound'>,
  { grantID, ...bet }: Opening,
  trace?: TraceSpan,
): Promise<OpenRoundOutcome> {
  if (grantID === undefined) {
    const opened = await ledger.openRound(bet, trace);
    if (opened.ok || opened.refusal !== 'free_round') return opened;
  }
  return ledger.openFreeRound({ ...bet, grantID }, trace);
}
