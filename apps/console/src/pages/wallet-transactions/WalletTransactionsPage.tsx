import { Button, Group } from '@mantine/core';
import type { AdminWalletTransaction } from '@roundhouse/contract/admin';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { type ApiInput, apiQuery } from '../../api.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import { type Filter, FilterBar } from '../../components/FilterBar.tsx';
import { roundPath } from '../../components/links.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { PathLink } from '../../components/PathLink.tsx';
import { useOperatorFilter } from '../../lib/choices.ts';
import { ANY_CURRENCY, readAmount } from '../../lib/money.ts';
import type { Search } from '../../lib/search.ts';
import { utcInstant } from '../../lib/time.ts';
import { useAccount, useMay } from '../../lib/useAccount.ts';
import { useFilters } from '../../lib/useFilters.ts';
import { usePaging } from '../../lib/usePaging.ts';
import { type Retried, RetryResult, RetrySelected } from './RetrySelected.tsx';
import { SettleModal } from './SettleModal.tsx';
import { columnsOf } from './transactionColumns.tsx';

const STATES = ['parked', 'pending', 'refused', 'abandoned', 'accepted'] as const;
const KINDS = ['debit', 'credit', 'rollback', 'winnings'] as const;
const POLL_MS = 15_000;
const NAMES = ['state', 'kind', 'operator', 'player', 'betID', 'from', 'to', 'least', 'most'] as const;

type Filters = Partial<Record<(typeof NAMES)[number], string>>;

const FILTERS: readonly Filter[] = [
  { name: 'state', label: 'State', options: STATES, placeholder: 'Parked', width: 130 },
  { name: 'kind', label: 'Kind', options: KINDS, width: 110 },
  { name: 'player', label: 'Player', width: 120 },
  { name: 'betID', label: 'Round', width: 90 },
  { name: 'from', label: 'From', kind: 'datetime-local' },
  { name: 'to', label: 'To', kind: 'datetime-local' },
  { name: 'least', label: 'Amount from', kind: 'amount', width: 110 },
  { name: 'most', label: 'Amount to', kind: 'amount', width: 110 },
];

/** Lists wallet transactions, parked ones first, to retry or settle them. */
export function WalletTransactionsPage() {
  const account = useAccount();
  const may = useMay();
  const operatorFilter = useOperatorFilter();
  const [filters, setFilters] = useFilters(...NAMES);
  const paging = usePaging();
  const state = stateOf(filters, { isOperators: account.operator !== null });
  const isBounded = isUnsettled(state) || leadsToAll(filters, { isOperators: account.operator !== null });
  // A field says what is wrong with it.
  const isReadable = [filters.least, filters.most].every((text) => text === undefined || microsOf(text) !== undefined);
  const isAsked = isBounded && isReadable;
  const list = useQuery({
    ...apiQuery('listWalletTransactions', { query: queryOf(filters, state, paging.query) }, { pollMs: POLL_MS }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [retried, setRetried] = useState<Retried>();
  const [toSettle, setToSettle] = useState<AdminWalletTransaction>();
  const rows = list.data?.items ?? [];
  useEffect(() => setSelected([]), [JSON.stringify(filters), paging.query.cursor]);
  const chosen = rows.filter(({ transactionID }) => selected.includes(transactionID));
  const mayRetry = state === 'parked' && may('retryWalletTransactions');
  const maySettle = may('settleWalletTransaction');
  const columns = useMemo(() => columnsOf(maySettle ? setToSettle : undefined), [maySettle]);
  return (
    <>
      <PageHead
        title="Wallet transactions"
        actions={
          may('reconcileOperator') && (
            <Button component={PathLink} to="/reconcile" size="xs" variant="default">
              Reconcile an operator
            </Button>
          )
        }
      />
      <FilterBar
        filters={[...FILTERS.slice(0, 2), ...operatorFilter, ...FILTERS.slice(2)]}
        values={filters}
        onChange={setFilters}
      />
      {mayRetry && (
        <Group mb="xs" gap="xs">
          <RetrySelected
            chosen={chosen}
            onDone={(outcome) => {
              setRetried(outcome);
              setSelected([]);
            }}
          />
        </Group>
      )}
      {retried && <RetryResult outcome={retried} onClose={() => setRetried(undefined)} />}
      <DataTable<AdminWalletTransaction>
        label="Wallet transactions"
        columns={columns}
        {...(isAsked ? { query: list } : { rows: [] })}
        rowKey={({ transactionID }) => transactionID}
        rowPath={roundPath}
        {...(mayRetry && { selection: { selected, onChange: setSelected } })}
        paging={paging}
        footer={isAsked && <DownloadButton table="walletTransactions" query={queryOf(filters, state, {}) as Search} />}
        empty={
          isAsked ? `No ${state === undefined ? '' : `${state} `}wallet transactions` : 'Which wallet transactions?'
        }
        emptyHint={
          !isReadable
            ? 'Correct the amount in the filters.'
            : isBounded && list.data?.cursor
              ? 'No match so far. "Next" continues.'
              : 'To list settled ones, choose a round, or an operator with a player or a time.'
        }
      />
      {toSettle && <SettleModal transaction={toSettle} onClose={() => setToSettle(undefined)} />}
    </>
  );
}

/** Without a filter for settled ones, the list shows what is parked. */
function stateOf(filters: Filters, { isOperators }: { isOperators: boolean }) {
  const state = STATES.find((each) => each === filters.state);
  return state ?? (leadsToAll(filters, { isOperators }) ? undefined : 'parked');
}

function isUnsettled(state: string | undefined): boolean {
  return state === 'parked' || state === 'pending';
}

/** Settled ones are many: the server lists those of a round, or of an operator's player or time. */
function leadsToAll({ betID, operator, player, from }: Filters, { isOperators }: { isOperators: boolean }): boolean {
  return betID !== undefined || ((isOperators || operator !== undefined) && (player ?? from) !== undefined);
}

function queryOf(filters: Filters, state: string | undefined, page: { cursor?: string }) {
  const { kind, operator, player, betID, from, to, least, most } = filters;
  const query = {
    ...{ ...page, state, kind, operator, player, betID, from: utcInstant(from), to: utcInstant(to) },
    minAmount: microsOf(least),
    maxAmount: microsOf(most),
  };
  return query as ApiInput<'listWalletTransactions'>['query'];
}

function microsOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : readAmount(text, ANY_CURRENCY);
}
