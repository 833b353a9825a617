import type { RoundPage } from '@roundhouse/contract/admin';
import { useAction } from '../../api.ts';
import { Amount } from '../../components/Amount.tsx';
import { ConfirmAction } from '../../components/ConfirmAction.tsx';
import { useMay } from '../../lib/useAccount.ts';
import { useSticky } from '../../lib/useSticky.ts';

const ENDED = 'The round has changed in the meantime.';

/**
 * Voids or completes an open round. Actions that your role or the round does not allow are hidden.
 * If the round ends while the page is open, the buttons stay, so that a modal keeps what was typed.
 */
export function RoundActions({ page: { round, can } }: { page: RoundPage }) {
  const could = { void: useSticky(can.void), complete: useSticky(can.complete) };
  const may = useMay();
  const { betID, playerID, operator, currency, debit, grantID, payout } = round;
  const params = { betID: String(betID) };
  const refreshes = ['getRound', 'listRounds'] as const;
  const voidIt = useAction('voidRound', { done: `Round ${betID} is void`, refreshes });
  const complete = useAction('completeRound', { done: `Round ${betID} is completed`, refreshes });
  const player = `player ${playerID} of ${operator}`;
  return (
    <>
      {could.complete && may('completeRound') && (
        <ConfirmAction
          label="Complete"
          {...(!can.complete && { whyNot: ENDED })}
          title={`Complete round ${betID}?`}
          consequence={
            <>
              Pays <Amount micros={payout} currency={currency} />, the payout of its book, to {player} and ends the
              round. Complete it only if the player will not return.
            </>
          }
          confirmLabel="Complete the round"
          reason="required"
          onConfirm={(reason) => complete.mutateAsync({ params, body: { reason } })}
        />
      )}
      {could.void && may('voidRound') && (
        <ConfirmAction
          label="Void"
          {...(!can.void && { whyNot: ENDED })}
          title={`Void round ${betID}?`}
          consequence={
            grantID === undefined ? (
              <>
                Returns <Amount micros={debit} currency={currency} /> to {player}; the round pays nothing.
              </>
            ) : (
              <>
                The free round of grant {grantID} does not count for {player}; the round pays nothing.
              </>
            )
          }
          confirmLabel="Void the round"
          isDangerous
          reason="required"
          onConfirm={(reason) => voidIt.mutateAsync({ params, body: { reason } })}
        />
      )}
    </>
  );
}
