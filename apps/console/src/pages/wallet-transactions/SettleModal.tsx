import type { AdminWalletTransaction } from '@roundhouse/contract/admin';
import { useAction } from '../../api.ts';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { WaitingRequests } from '../../components/WaitingRequests.tsx';
import { amountText } from '../../lib/money.ts';

type Props = { transaction: AdminWalletTransaction; onClose: () => void };

/** Settles one parked wallet transaction by hand. */
export function SettleModal({ transaction, onClose }: Props) {
  const { transactionID, kind, amount, currency, playerID, operator, betID } = transaction;
  const settle = useAction('settleWalletTransaction', {
    refreshes: ['listWalletTransactions'],
    done: `The ${kind} of round ${betID} is settled by hand`,
  });
  return (
    <ConfirmModal
      isOpen
      onClose={onClose}
      title={`Settle the ${kind} of round ${betID}?`}
      consequence={
        <>
          Settle it only if <b>{operator}</b> has booked it by hand. Our records then say that{' '}
          <b>{amountText(amount, currency)}</b> {DIRECTION[kind]} player <b>{playerID}</b>, and it is never sent again.
          You cannot undo this.
        </>
      }
      confirmLabel="Settle by hand"
      isDangerous
      reason="required"
      onConfirm={(reason) => settle.mutateAsync({ params: { transactionID }, body: { reason } })}
    >
      <WaitingRequests subject={`wallet transaction ${transactionID}`} />
    </ConfirmModal>
  );
}

const DIRECTION: Readonly<Record<AdminWalletTransaction['kind'], string>> = {
  debit: 'was taken from',
  credit: 'was paid to',
  winnings: 'was paid to',
  rollback: 'was returned to',
};
