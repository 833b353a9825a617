import { Group, Stack, Text } from '@mantine/core';
import type { AdminRound, RoundPage } from '@roundhouse/contract/admin';
import { useAction } from '../../api.ts';
import { Amount } from '../../components/Amount.tsx';
import { ConfirmAction } from '../../components/ConfirmAction.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Panel } from '../../components/Panel.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { WaitingRequests } from '../../components/WaitingRequests.tsx';
import { counted } from '../../lib/rtp.ts';
import { useMay } from '../../lib/useAccount.ts';
import { useSticky } from '../../lib/useSticky.ts';
import { outcomeText, WHAT } from './transactionWords.ts';

type RoundTransaction = RoundPage['transactions'][number];
type Props = { page: RoundPage };

/** Shows the wallet transactions of a round. A parked one can be retried or settled. */
export function TransactionsPanel({ page: { transactions, round, timeline } }: Props) {
  const codes = new Map(
    timeline.flatMap((entry) => (entry.kind === 'result' ? [[entry.transactionID, entry.resultCode] as const] : [])),
  );
  return (
    <Panel title="Wallet transactions">
      {transactions.length === 0 ? (
        <EmptyState title="No money moved" />
      ) : (
        <Stack gap="sm">
          {transactions.map((transaction) => (
            <Transaction
              key={transaction.transactionID}
              {...{ transaction, round, resultCode: codes.get(transaction.transactionID) ?? null }}
            />
          ))}
        </Stack>
      )}
    </Panel>
  );
}

type TransactionProps = { transaction: RoundTransaction; round: AdminRound; resultCode: string | null };

function Transaction({ transaction, round, resultCode }: TransactionProps) {
  const { transactionID, kind, amount, state, attempts, lastResponse, reference } = transaction;
  const wasParked = useSticky(state === 'parked');
  return (
    <div>
      <Group gap="xs">
        <Text size="sm" fw={500} component="span">
          {WHAT[kind]}: <Amount micros={amount} currency={round.currency} />
        </Text>
        <StateBadge state={state} />
        {wasParked && <ParkedActions transaction={transaction} round={round} />}
      </Group>
      <Text size="sm">{outcomeText({ transaction: kind, state }, resultCode)}</Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {kind} {transactionID}
        {reference !== null && ` · wallet: ${reference}`}
      </Text>
      {attempts > 0 && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {counted(attempts, 'attempt')}
          {lastResponse !== null && `, last result: ${lastResponse}`}
        </Text>
      )}
    </div>
  );
}

function ParkedActions({ transaction, round }: { transaction: RoundTransaction; round: AdminRound }) {
  const may = useMay();
  const { transactionID, kind, amount, state } = transaction;
  const whyNot = state === 'parked' ? undefined : `It is ${state} now.`;
  const { betID, operator, playerID, currency } = round;
  const refreshes = ['getRound', 'listWalletTransactions'] as const;
  const retry = useAction('retryWalletTransactions', { done: `The ${kind} is sent again`, refreshes });
  const settle = useAction('settleWalletTransaction', { done: `The ${kind} is settled`, refreshes });
  const what = (
    <>
      the {kind} of <Amount micros={amount} currency={currency} /> for player {playerID}
    </>
  );
  return (
    <>
      {may('retryWalletTransactions') && (
        <ConfirmAction
          label="Retry"
          whyNot={whyNot}
          title={`Retry the ${kind} of round ${betID}?`}
          consequence={
            <>
              Sends {what} to the wallet of {operator} again, for another 72 hours.
            </>
          }
          onConfirm={() => retry.mutateAsync({ body: { transactionIDs: [transactionID] } })}
        />
      )}
      {may('settleWalletTransaction') && (
        <ConfirmAction
          label="Settle"
          whyNot={whyNot}
          title={`Settle the ${kind} of round ${betID}?`}
          consequence={
            <>
              Our records then say that {operator} has booked {what}. Nothing is sent. Settle it only after you have
              seen the booking there.
            </>
          }
          isDangerous
          reason="required"
          onConfirm={(reason) => settle.mutateAsync({ params: { transactionID }, body: { reason } })}
        >
          <WaitingRequests subject={`wallet transaction ${transactionID}`} />
        </ConfirmAction>
      )}
    </>
  );
}
