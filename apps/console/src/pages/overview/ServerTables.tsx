import type { Overview, OverviewNode } from '@roundhouse/contract/admin';
import { countColumn, figureColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { GameLink } from '../../components/links.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { percentText } from '../../lib/rtp.ts';

type Alarm = NonNullable<Overview['rtpAlarms']>[number];

const alarmColumns: Column<Alarm>[] = [
  textColumn('game', 'Game', ({ game }) => <GameLink gameID={game} />),
  textColumn('version', 'Version', ({ version }) => version, 'sm'),
  textColumn('mode', 'Mode', ({ mode, currency }) => `${mode}, ${currency}`),
  textColumn('period', 'Period', ({ period }) => (period === 'life' ? 'lifetime' : period)),
  figureColumn('rtp', 'RTP', ({ rtp }) => percentText(rtp)),
  countColumn('rounds', 'Rounds', ({ rounds }) => rounds, 'sm'),
  timeColumn('raised', 'Raised', ({ raisedAt }) => raisedAt, 'sm'),
];

/** Shows the newest alarms of live RTP. */
export function AlarmTable({ rows }: { rows: readonly Alarm[] }) {
  return (
    <DataTable
      label="Live RTP alarms"
      columns={alarmColumns}
      rows={rows}
      rowKey={({ game, version, mode, currency, period }) => [game, version, mode, currency, period].join(' ')}
      empty="Every RTP is within its bounds"
    />
  );
}

const nodeColumns: Column<OverviewNode>[] = [
  textColumn('node', 'Node', ({ node }) => node),
  textColumn('version', 'Version', ({ version }) => version, 'md'),
  timeColumn('started', 'Started', ({ startedAt }) => startedAt),
  {
    ...{ id: 'stopped', header: 'Stopped', hideBelow: 'sm' },
    cell: ({ stoppedAt }) => (stoppedAt === null ? 'no stop recorded' : <Time at={stoppedAt} />),
  },
  {
    ...{ id: 'clock', header: 'Clock offset', align: 'right', hideBelow: 'md' },
    cell: ({ clockOffsetMs }) =>
      clockOffsetMs === null ? '< 1 s' : <StateBadge state="offset" tone="bad" label={`${clockOffsetMs} ms`} />,
  },
  {
    ...{ id: 'install', header: 'Installation' },
    cell: ({ install }) => (
      <StateBadge
        state={install}
        tone={({ verified: 'good', mismatch: 'bad', unchecked: 'quiet' } as const)[install]}
      />
    ),
  },
];

/** Shows the latest starts of nodes from the log of significant events. */
export function NodeTable({ rows }: { rows: readonly OverviewNode[] }) {
  return (
    <DataTable
      label="Latest node starts"
      columns={nodeColumns}
      rows={rows}
      rowKey={({ node, startedAt }) => `${node} ${startedAt}`}
      empty="No node has started"
    />
  );
}
