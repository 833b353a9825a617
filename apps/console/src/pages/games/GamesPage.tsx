import { Stack, Text } from '@mantine/core';
import type { AdminGame } from '@roundhouse/contract/admin';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { apiQuery } from '../../api.ts';
import { Amount } from '../../components/Amount.tsx';
import { figureColumn, textColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import { gamePath } from '../../components/links.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { Rtp } from '../../components/Rtp.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { countText } from '../../lib/rtp.ts';
import { usePaging } from '../../lib/usePaging.ts';
import { MaintenancePanel } from './MaintenancePanel.tsx';

const POLL_MS = 30_000;

/** Lists the games with what they returned today, and the maintenance that is on. */
export function GamesPage() {
  const paging = usePaging();
  const games = useQuery({
    ...apiQuery('listGames', { query: paging.query }, { pollMs: POLL_MS }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHead title="Games" />
      <Stack gap="md">
        <DataTable<AdminGame>
          label="Games"
          columns={COLUMNS}
          query={games}
          rowKey={({ gameID }) => gameID}
          rowPath={({ gameID }) => gamePath(gameID)}
          paging={paging}
          empty="No games are published"
          footer={<DownloadButton table="games" />}
        />
        <MaintenancePanel />
      </Stack>
    </>
  );
}

type Today = AdminGame['today'][number];

/** A game has a line for each currency of today. */
function eachCurrency(show: (today: Today) => ReactNode) {
  return ({ today }: AdminGame) =>
    today.length === 0 ? '–' : today.map((each) => <div key={each.currency}>{show(each)}</div>);
}

const COLUMNS: readonly Column<AdminGame>[] = [
  {
    ...{ id: 'title', header: 'Game' },
    cell: ({ title, gameID }) => (
      <>
        {title}
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
          {gameID}
        </Text>
      </>
    ),
  },
  textColumn(
    'version',
    'Version',
    ({ version, versions }) => (versions === 1 ? version : `${version}, newest of ${versions}`),
    'md',
  ),
  textColumn('state', 'State', ({ state, maintenance }) =>
    maintenance === null ? (
      <StateBadge state={state} tone={state === 'available' ? 'good' : 'bad'} />
    ) : (
      <StateBadge state="maintenance" />
    ),
  ),
  figureColumn(
    'rounds',
    'Rounds today',
    eachCurrency(({ rounds }) => countText(rounds)),
    'sm',
  ),
  figureColumn(
    'bets',
    'Bets today',
    eachCurrency((today) => <Amount micros={today.bets} currency={today.currency} />),
    'md',
  ),
  figureColumn(
    'payouts',
    'Payouts today',
    eachCurrency((today) => <Amount micros={today.payouts} currency={today.currency} />),
    'md',
  ),
  figureColumn(
    'rtp',
    'RTP today',
    eachCurrency((today) => <Rtp {...today} />),
  ),
];
