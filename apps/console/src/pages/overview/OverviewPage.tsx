import { Skeleton, Stack } from '@mantine/core';
import type { Overview } from '@roundhouse/contract/admin';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { apiQuery } from '../../api.ts';
import { Chart } from '../../components/Chart.tsx';
import { gamePath, operatorPath } from '../../components/links.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { Panel } from '../../components/Panel.tsx';
import { pathOf } from '../../lib/search.ts';
import { ageText, utcText } from '../../lib/time.ts';
import { DayTable } from './DayTable.tsx';
import classes from './Overview.module.css';
import { AlarmTable, NodeTable } from './ServerTables.tsx';
import { Tile } from './Tile.tsx';
import { type PlaysPoint, useLiveOverview } from './useLiveOverview.ts';
import { FailingTable, UnsettledTable } from './WalletTables.tsx';

const counts = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const OLD_MS = 15_000;
const NO_PLAYS: readonly PlaysPoint[] = [];
const POLL_MS = 15_000;
const ONE_DAY_MS = 86_400_000;

/** Shows today's numbers, live. */
export function OverviewPage() {
  const { overview, updatedMs, plays } = useLiveOverview();
  return (
    <>
      <PageHead title="Overview" actions={<Updated atMs={updatedMs} />} />
      {overview === undefined ? <Loading /> : <Content overview={overview} plays={plays} />}
    </>
  );
}

/** Says that somebody cannot play, because staff wanted it. */
function MaintenanceTile() {
  const { data } = useQuery(apiQuery('listMaintenance', {}, { pollMs: POLL_MS }));
  const count = data?.items.length ?? 0;
  return <Tile label="Maintenance" value={count} to="/games" detail="active now" isBad={count > 0} />;
}

function Content({ overview, plays }: { overview: Overview; plays: readonly PlaysPoint[] }) {
  const { operators, games, unsettled, failingWallets, rtpAlarms, nodes, lastWeekDay, day } = overview;
  const countOf = (state: 'pending' | 'parked') =>
    unsettled.reduce((sum, each) => sum + (each.state === state ? each.count : 0), 0);
  // Alarms stay forever, so only those of the last day count.
  const yesterday = new Date(Date.parse(overview.at) - ONE_DAY_MS).toISOString();
  const newAlarms = (rtpAlarms ?? []).filter(({ raisedAt }) => raisedAt > yesterday).length;
  const transactions = (state: string) => pathOf('/wallet-transactions', { state });
  return (
    <Stack gap="md">
      <dl className={classes.tiles} aria-label="Now">
        <Tile label="Plays per second" value={numberOf(overview.playsPerSecond)} detail="now" />
        <Tile
          label="Open rounds"
          value={counts.format(overview.openRounds)}
          to={pathOf('/rounds', { state: 'open' })}
          detail="not completed yet"
        />
        <Tile
          label="Pending"
          value={counts.format(countOf('pending'))}
          to={transactions('pending')}
          detail="transactions being retried"
        />
        <Tile
          {...{ label: 'Parked', value: counts.format(countOf('parked')), to: transactions('parked') }}
          detail="transactions to retry or settle"
          isBad={countOf('parked') > 0}
        />
        <Tile
          {...{ label: 'Failing wallets', value: failingWallets.length, isBad: failingWallets.length > 0 }}
          detail="down, or without a clear answer"
        />
        <MaintenanceTile />
        {rtpAlarms !== null && (
          <Tile label="RTP alarms" value={newAlarms} isBad={newAlarms > 0} detail="in the last 24 hours" />
        )}
      </dl>
      <Panel title="Plays per second since you opened this page">
        <Sparkline plays={plays} />
      </Panel>
      <Panel title={`Today by operator, ${day}`}>
        <DayTable
          {...{ label: 'Operators today', header: 'Operator', lastWeekDay }}
          rows={operators.map(({ operator, ...row }) => ({ name: operator, ...row }))}
          pathOfName={operatorPath}
        />
      </Panel>
      <Panel title={`Today by game, ${day}`}>
        <DayTable
          {...{ label: 'Games today', header: 'Game', lastWeekDay }}
          rows={games.map(({ game, ...row }) => ({ name: game, ...row }))}
          pathOfName={gamePath}
        />
      </Panel>
      <div className={classes.pair}>
        <Panel title="Pending and parked transactions by age">
          <UnsettledTable rows={unsettled} />
        </Panel>
        <Panel title="Failing wallets">
          <FailingTable rows={failingWallets} />
        </Panel>
      </div>
      {rtpAlarms !== null && (
        <Panel title="RTP alarms">
          <AlarmTable rows={rtpAlarms} />
        </Panel>
      )}
      {nodes !== null && (
        <Panel title="Nodes">
          <NodeTable rows={nodes} />
        </Panel>
      )}
    </Stack>
  );
}

/** Renders on each event, so its arrays are made once per event. */
function Sparkline({ plays }: { plays: readonly PlaysPoint[] }) {
  // One point has no span of time.
  const points = plays.length > 1 ? plays : NO_PLAYS;
  const x = useMemo(() => points.map(({ at }) => Math.round(at)), [points]);
  const series = useMemo(() => [{ label: 'Plays/s', values: points.map((each) => each.plays) }], [points]);
  return (
    <Chart
      {...{ label: 'Plays per second', x, xLabel: 'Time', series, format: formatPlays, unit: 'plays/s' }}
      height={130}
      formatX={formatTime}
    />
  );
}

const formatPlays = (plays: number) => counts.format(plays);
const formatTime = (seconds: number) => utcText(seconds * 1000).slice('2026-11-23 '.length);

function numberOf(value: number | null): string {
  return value === null ? '–' : counts.format(value);
}

/** Shows the age of the numbers. */
function Updated({ atMs }: { atMs: number | undefined }) {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  if (atMs === undefined) return <span className={classes.updated}>connecting …</span>;
  return (
    <span className={classes.updated} data-old={nowMs - atMs > OLD_MS || undefined}>
      last update {ageText(new Date(atMs).toISOString(), Math.max(nowMs, atMs))} ago
    </span>
  );
}

function Loading() {
  return (
    <Stack gap="xs" role="status" aria-label="Loading">
      <Skeleton height={64} radius="sm" />
      <Skeleton height={180} radius="sm" />
      <Skeleton height={180} radius="sm" />
    </Stack>
  );
}
