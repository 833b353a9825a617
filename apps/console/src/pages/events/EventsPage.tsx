import { UnstyledButton } from '@mantine/core';
import type { AdminEvent } from '@roundhouse/contract/admin';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type ApiInput, apiQuery } from '../../api.ts';
import { Changes } from '../../components/Changes.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import { FilterBar } from '../../components/FilterBar.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { wordsOf } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { rowsOfDiff } from '../../lib/diff.ts';
import type { Search } from '../../lib/search.ts';
import { utcInstant, utcText } from '../../lib/time.ts';
import { useAccount, useMay } from '../../lib/useAccount.ts';
import { useFilters } from '../../lib/useFilters.ts';
import { usePaging } from '../../lib/usePaging.ts';
import { EventModal } from './EventModal.tsx';
import { VerifyLog } from './VerifyLog.tsx';

/** Lists the log of significant events, and verifies it. */
export function EventsPage() {
  const { operator } = useAccount();
  const may = useMay();
  const [{ event: opened, ...filters }, setFilters] = useFilters('kind', 'actor', 'subject', 'from', 'to', 'event');
  const paging = usePaging();
  const { kind, actor, subject, from, to } = filters;
  const query = { ...paging.query, kind, actor, subject, from: utcInstant(from), to: utcInstant(to) };
  const list = useQuery({
    ...apiQuery('listEvents', { query: query as ApiInput<'listEvents'>['query'] }),
    placeholderData: keepPreviousData,
  });
  const { items = [], kinds = {}, searchedTo } = list.data ?? {};
  const navigate = useNavigate();
  // This is not a filter, so the cursor of the page stays.
  const open = useCallback(
    (seq: number | undefined) =>
      void navigate({ to: '.', search: (current: Search) => ({ ...current, event: seq }), replace: true } as never),
    [navigate],
  );
  const columns = useMemo(() => columnsOf(open), [open]);
  return (
    <>
      <PageHead title="Significant events" />
      {may('verifyEvents') && <VerifyLog />}
      <FilterBar
        filters={[
          { name: 'kind', label: 'Kind', options: optionsOf(kinds), width: 220 },
          { name: 'actor', label: 'Actor contains', placeholder: 'user:ann' },
          { name: 'subject', label: 'Object contains', placeholder: 'operator acme' },
          { name: 'from', label: 'From', kind: 'datetime-local' },
          { name: 'to', label: 'To', kind: 'datetime-local' },
        ]}
        values={filters}
        onChange={setFilters}
      />
      <DataTable<AdminEvent>
        label="Significant events"
        columns={columns}
        query={list}
        rowKey={({ seq }) => String(seq)}
        onOpen={({ seq }) => open(seq)}
        paging={paging}
        footer={
          <DownloadButton table="events" query={{ kind, actor, subject, from: utcInstant(from), to: utcInstant(to) }} />
        }
        empty="No events"
        emptyHint={
          searchedTo
            ? `No match back to ${utcText(searchedTo)}. "Next" continues from there.`
            : operator !== null && `You see only events about ${operator}.`
        }
      />
      <EventModal
        event={items.find(({ seq }) => String(seq) === opened)}
        kinds={kinds}
        onClose={() => open(undefined)}
      />
    </>
  );
}

function columnsOf(open: (seq: number) => void): readonly Column<AdminEvent>[] {
  return [
    {
      ...{ id: 'seq', header: 'Event' },
      cell: ({ seq }) => (
        <UnstyledButton fz="inherit" c="var(--mantine-color-anchor)" onClick={() => open(seq)}>
          {seq}
        </UnstyledButton>
      ),
    },
    { id: 'at', header: 'Time', cell: ({ at }) => <Time at={at} /> },
    { id: 'kind', header: 'Kind', cell: ({ kind }) => wordsOf(kind), isCut: true },
    {
      id: 'actor',
      header: 'Actor',
      cell: ({ actor }) => <span title={actor}>{actor}</span>,
      ...{ isCut: true, hideBelow: 'md', under: 'at' },
    },
    {
      id: 'subject',
      header: 'Object',
      cell: ({ subject }) => <span title={subject}>{subject}</span>,
      ...{ isCut: true, hideBelow: 'sm', under: 'kind' },
    },
    { id: 'values', header: 'Changes', cell: changesOf, hideBelow: 'lg' },
  ];
}

/** The event itself has the others. */
const MOST_CHANGES = 3;

function changesOf({ before, after, subject }: AdminEvent) {
  const rows = rowsOfDiff(before, after, subject).filter(({ isChanged }) => isChanged);
  return <Changes rows={rows} most={MOST_CHANGES} />;
}

function optionsOf(kinds: Readonly<Record<string, string>>) {
  return Object.keys(kinds)
    .sort()
    .map((value) => ({ value, label: wordsOf(value) }));
}
