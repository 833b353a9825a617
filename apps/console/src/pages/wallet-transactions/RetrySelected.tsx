import { Alert, List, Text } from '@mantine/core';
import type { AdminWalletTransaction } from '@roundhouse/contract/admin';
import { type ApiOutput, useAction } from '../../api.ts';
import { ConfirmAction } from '../../components/ConfirmAction.tsx';
import { actorText } from '../../components/ErrorState.tsx';
import { amountText } from '../../lib/money.ts';
import { counted } from '../../lib/rtp.ts';
import { utcText } from '../../lib/time.ts';

export type Retried = ApiOutput<'retryWalletTransactions'>;

type Props = { chosen: readonly AdminWalletTransaction[]; onDone: (outcome: Retried) => void };

/** Retries the chosen rows. */
export function RetrySelected({ chosen, onDone }: Props) {
  const retry = useAction('retryWalletTransactions', { refreshes: ['listWalletTransactions'] });
  const what = counted(chosen.length, 'wallet transaction');
  return (
    <ConfirmAction
      label={chosen.length === 0 ? 'Retry selected' : `Retry ${chosen.length} selected`}
      title={`Retry ${what}?`}
      consequence={`The server sends ${what} (${sumsText(chosen)}) to the operator's wallet again immediately, and retries for another 72 hours. A wallet books each of them only once.`}
      confirmLabel={`Retry ${what}`}
      whyNot={chosen.length === 0 ? 'Select rows first.' : undefined}
      onConfirm={async () => {
        const transactionIDs = chosen.map(({ transactionID }) => transactionID);
        const outcome = await retry.mutateAsync({ body: { transactionIDs } });
        if (outcome.kind === 'done') onDone(outcome.body);
      }}
    />
  );
}

/** Shows the result of a retry: for each one that was not retried, why, and who was first. */
export function RetryResult({ outcome, onClose }: { outcome: Retried; onClose: () => void }) {
  const { retried, notRetried } = outcome;
  return (
    <Alert
      role="status"
      color={notRetried.length === 0 ? 'green' : 'yellow'}
      variant="light"
      mb="sm"
      title={`${counted(retried.length, 'wallet transaction')} due again`}
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      {notRetried.length > 0 && (
        <>
          <Text size="sm">Not retried, because it changed in the meantime:</Text>
          <List size="sm">
            {notRetried.map(({ transactionID, state, by, at }) => (
              <List.Item key={transactionID}>
                {transactionID}: {state === null ? 'not found' : `it is ${state}`}
                {by !== null && `, by ${actorText(by)}`}
                {by !== null && at !== null && ` at ${utcText(at)}`}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Alert>
  );
}

/** Adds up the amounts by currency, exactly. */
function sumsText(rows: readonly AdminWalletTransaction[]): string {
  const sums = new Map<string, bigint>();
  for (const { amount, currency } of rows) sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount));
  return [...sums].map(([currency, micros]) => amountText(micros, currency)).join(', ');
}
