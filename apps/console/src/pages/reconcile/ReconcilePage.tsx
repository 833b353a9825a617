import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import type { ReconcileLine, ReconcileResult } from '@roundhouse/contract/admin';
import { type FormEvent, useState } from 'react';
import { DataTable } from '../../components/DataTable.tsx';
import { FilterBar } from '../../components/FilterBar.tsx';
import { KeyValue } from '../../components/KeyValue.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { Picker } from '../../components/Picker.tsx';
import { StreamView } from '../../components/StreamView.tsx';
import { Time } from '../../components/Time.tsx';
import { useOperators } from '../../lib/choices.ts';
import { issuesAt } from '../../lib/errors.ts';
import { counted } from '../../lib/rtp.ts';
import { utcInstant } from '../../lib/time.ts';
import { useAccount } from '../../lib/useAccount.ts';
import { useFilters } from '../../lib/useFilters.ts';
import { useStream } from '../../lib/useStream.ts';
import { DIFFERENCE_COLUMNS } from './differenceColumns.tsx';

/** Compares our wallet transactions with an operator's list, and shows the differences. */
export function ReconcilePage() {
  const { operator: own } = useAccount();
  const [filters, setFilters] = useFilters('operator', 'from', 'to');
  const [chosen, setChosen] = useState(filters.operator ?? '');
  const operators = useOperators();
  const operator = own ?? chosen;
  const stream = useStream<ReconcileResult>('reconcileOperator');
  const { at, rest } = issuesAt(['operator'], stream.error);
  const isRunning = stream.state === 'running';
  const begin = (event: FormEvent) => {
    event.preventDefault();
    if (operator === '' || isRunning) return;
    if (own === null) setFilters({ operator });
    const [from, to] = [utcInstant(filters.from), utcInstant(filters.to)];
    void stream.start({ params: { operator }, body: { ...(from && { from }), ...(to && { to }) } });
  };
  const lines = stream.lines as unknown as readonly ReconcileLine[];
  return (
    <>
      <PageHead title="Reconcile" trail={[{ label: 'Wallet transactions', to: '/wallet-transactions' }]} />
      <Text size="sm" c="dimmed" mb="sm">
        Reads the operator's list of transactions and compares it with ours, one by one. No money moves.
      </Text>
      <FilterBar
        filters={[
          { name: 'from', label: 'From', kind: 'datetime-local' },
          { name: 'to', label: 'To', kind: 'datetime-local' },
        ]}
        values={filters}
        onChange={setFilters}
      />
      <form onSubmit={begin}>
        <Group gap="xs" mb="md" align="flex-end">
          <Picker
            size="xs"
            label="Operator"
            data={operators}
            value={operator}
            readOnly={own !== null}
            required
            error={at.operator}
            onChange={setChosen}
          />
          <Button type="submit" size="xs" loading={isRunning}>
            Compare
          </Button>
          {isRunning && (
            <Button size="xs" variant="default" onClick={stream.cancel}>
              Stop
            </Button>
          )}
        </Group>
      </form>
      <Stack gap="md">
        <StreamView
          stream={{ ...stream, lines: [], error: rest }}
          label={`Comparing with the list of ${operator}`}
          unit="rows of both sides"
        >
          {(result) => <Result result={result} />}
        </StreamView>
        {lines.length > 0 && (
          <DataTable<ReconcileLine>
            label="Differences"
            columns={DIFFERENCE_COLUMNS}
            rows={lines}
            rowKey={({ difference, transactionID }) => `${difference} ${transactionID}`}
          />
        )}
      </Stack>
    </>
  );
}

function Result({ result }: { result: ReconcileResult }) {
  const { operator, from, to, ours, theirs, younger, differences, shown, unsettled } = result;
  const isWhole = differences === 0;
  return (
    <Paper withBorder p="sm">
      <Alert role="status" color={isWhole ? 'green' : 'red'} variant="light" mb="sm">
        {isWhole ? 'The two lists agree.' : `${counted(differences, 'difference')} found.`}
        {shown < differences && ` The table shows the first ${shown.toLocaleString('en')}.`}
      </Alert>
      <KeyValue
        items={{
          Operator: operator,
          From: <Time at={from} withLocal />,
          To: <Time at={to} withLocal />,
          'Our wallet transactions': ours.toLocaleString('en'),
          "In the operator's list": theirs.toLocaleString('en'),
          'Pending or parked, not compared': unsettled.toLocaleString('en'),
          'Less than a minute old, not compared': younger === null ? undefined : younger.toLocaleString('en'),
        }}
      />
    </Paper>
  );
}
