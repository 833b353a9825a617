import { Button, Stack, Text } from '@mantine/core';
import type { AdminWalletTransaction } from '@roundhouse/contract/admin';
import { amountColumn } from '../../components/columns.tsx';
import type { Column } from '../../components/DataTable.tsx';
import { PlayerLink } from '../../components/links.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { ageText, utcText } from '../../lib/time.ts';
import { outcomeText } from '../round/transactionWords.ts';

type Settle = (transaction: AdminWalletTransaction) => void;

/** Users who may not settle see no button. */
export function columnsOf(onSettle: Settle | undefined): readonly Column<AdminWalletTransaction>[] {
  const columns: Column<AdminWalletTransaction>[] = [
    { id: 'round', header: 'Round', cell: ({ betID }) => betID },
    { id: 'kind', header: 'Kind', cell: ({ kind }) => kind, hideBelow: 'sm', under: 'round' },
    { id: 'state', header: 'State', cell: stateOf },
    amountColumn('amount', 'Amount', ({ amount }) => amount),
    {
      id: 'player',
      header: 'Player',
      cell: ({ playerID, operator }) => (
        <>
          <PlayerLink {...{ operator, playerID }} /> · {operator}
        </>
      ),
      ...{ isCut: true, hideBelow: 'sm', under: 'round' },
    },
    { id: 'game', header: 'Game', cell: ({ gameID }) => gameID, hideBelow: 'xl', isCut: true },
    {
      ...{ id: 'age', header: 'Age', hideBelow: 'md' as const },
      cell: ({ createdAt }) => <span title={utcText(createdAt)}>{ageText(createdAt)}</span>,
      under: 'amount',
    },
    { id: 'attempts', header: 'Attempts', cell: ({ attempts }) => attempts, align: 'right', hideBelow: 'md' },
    { id: 'result', header: 'Last result', cell: resultOf, isCut: true, hideBelow: 'md', under: 'state' },
    { id: 'next', header: 'Next attempt / settled', cell: nextOf, hideBelow: 'md' },
    { id: 'id', header: 'Transaction', cell: ({ transactionID }) => transactionID, isCut: true, hideBelow: 'xl' },
  ];
  if (!onSettle) return columns;
  const settle: Column<AdminWalletTransaction> = {
    ...{ id: 'settle', header: 'Settle', align: 'right', isPinned: true },
    cell: (transaction) =>
      transaction.state === 'parked' ? (
        <Button size="compact-xs" variant="default" c="var(--console-bad)" onClick={() => onSettle(transaction)}>
          Settle
        </Button>
      ) : (
        '–'
      ),
  };
  return [...columns, settle];
}

/** The tooltip says what has happened to the money. */
function stateOf({ state, kind, resultCode }: AdminWalletTransaction) {
  return (
    <span title={outcomeText({ transaction: kind, state }, resultCode)}>
      <StateBadge state={state} />
    </span>
  );
}

function resultOf({ resultCode, httpStatus, resultDetail }: AdminWalletTransaction) {
  const text = [resultCode ?? 'none yet', httpStatus].filter((each) => each !== null).join(' · ');
  return <span title={resultDetail ?? text}>{resultDetail === null ? text : `${text} · ${resultDetail}`}</span>;
}

function nextOf({ state, dueAt, retryUntil, settledAt, settledBy, settlementNote }: AdminWalletTransaction) {
  if (state === 'parked') return 'needs manual action';
  if (state !== 'pending') {
    return (
      <Stack gap={0}>
        <Time at={settledAt} />
        <Text size="xs" c="dimmed" title={settlementNote ?? ''}>
          {settledBy === 'person' ? `by hand: ${settlementNote}` : `by ${settledBy}`}
        </Text>
      </Stack>
    );
  }
  return (
    <Stack gap={0}>
      <Time at={dueAt} />
      <Text size="xs" c="dimmed">
        until <Time at={retryUntil} />
      </Text>
    </Stack>
  );
}
