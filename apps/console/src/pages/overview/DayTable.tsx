import type { DayTotals } from '@roundhouse/contract/admin';
import { Amount } from '../../components/Amount.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { PathLink } from '../../components/PathLink.tsx';
import { Rtp } from '../../components/Rtp.tsx';
import { countText } from '../../lib/rtp.ts';

type Row = { name: string; currency: string; today: DayTotals; lastWeek: DayTotals };
type Props = {
  label: string;
  /** What a row shows: "Operator". */
  header: string;
  rows: readonly Row[];
  pathOfName: (name: string) => string;
  /** The weekday of last week, as 2026-11-20. */
  lastWeekDay: string;
};

/** Compares today with the same weekday of last week. */
export function DayTable({ label, header, rows, pathOfName, lastWeekDay }: Props) {
  const before = weekdayOf(lastWeekDay);
  const columns: Column<Row>[] = [
    { id: 'name', header, cell: ({ name }) => <PathLink to={pathOfName(name)}>{name}</PathLink> },
    { id: 'currency', header: 'Currency', cell: ({ currency }) => currency, hideBelow: 'sm' },
    {
      ...{ id: 'rounds', header: 'Rounds', align: 'right' },
      cell: ({ today }) => countText(today.rounds),
      sortBy: ({ today }) => today.rounds,
    },
    {
      ...{ id: 'bets', header: 'Bets', align: 'right', hideBelow: 'sm' },
      cell: ({ today, currency }) => <Amount micros={today.bets} currency={currency} />,
      sortBy: ({ today }) => BigInt(today.bets),
    },
    {
      ...{ id: 'payouts', header: 'Payouts', align: 'right', hideBelow: 'md' },
      cell: ({ today, currency }) => <Amount micros={today.payouts} currency={currency} />,
    },
    {
      ...{ id: 'ggr', header: 'GGR', align: 'right' },
      cell: ({ today, currency }) => <Amount micros={today.ggr} currency={currency} isSigned />,
      sortBy: ({ today }) => BigInt(today.ggr),
    },
    { ...{ id: 'rtp', header: 'RTP', align: 'right' }, cell: ({ today }) => <Rtp {...today} /> },
    {
      ...{ id: 'lastRounds', header: `Rounds, ${before}`, align: 'right', hideBelow: 'lg' },
      cell: ({ lastWeek }) => countText(lastWeek.rounds),
    },
    {
      ...{ id: 'lastGgr', header: `GGR, ${before}`, align: 'right', hideBelow: 'md' },
      cell: ({ lastWeek, currency }) => <Amount micros={lastWeek.ggr} currency={currency} isSigned />,
    },
    {
      ...{ id: 'lastRtp', header: `RTP, ${before}`, align: 'right', hideBelow: 'lg' },
      cell: ({ lastWeek }) => <Rtp {...lastWeek} />,
    },
    {
      ...{ id: 'free', header: 'Free rounds', align: 'right', hideBelow: 'lg' },
      cell: ({ today }) => countText(today.freeRounds),
    },
  ];
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={rows}
      rowKey={({ name, currency }) => `${name} ${currency}`}
      empty="No rounds completed today"
      emptyHint={`Nor ${before}.`}
    />
  );
}

/** Returns `last Fri`. */
function weekdayOf(day: string): string {
  return `last ${new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' }).format(new Date(day))}`;
}
