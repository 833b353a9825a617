import type { DayTotals } from '@roundhouse/contract/admin';
import { amountColumn, countColumn, figureColumn, ggrColumn, textColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { PathLink } from '../../components/PathLink.tsx';
import { Rtp } from '../../components/Rtp.tsx';

type Row = { name: string; currency: string; today: DayTotals; lastWeek: DayTotals };
type Props = {
  label: string;
  /** What a row shows: "Operator". */
  header: string;
  rows: readonly Row[];
  pathOfName: (name: string) => string;
  /** It is written as 2026-11-20. */
  lastWeekDay: string;
};

/** Compares today with the same weekday of last week. */
export function DayTable({ label, header, rows, pathOfName, lastWeekDay }: Props) {
  const before = weekdayOf(lastWeekDay);
  const columns: Column<Row>[] = [
    textColumn('name', header, ({ name }) => <PathLink to={pathOfName(name)}>{name}</PathLink>),
    { ...textColumn('currency', 'Currency', ({ currency }) => currency, 'md'), under: 'name' },
    { ...countColumn('rounds', 'Rounds', ({ today }) => today.rounds, 'sm'), sortBy: ({ today }) => today.rounds },
    { ...amountColumn('bets', 'Bets', ({ today }) => today.bets, 'sm'), sortBy: ({ today }) => BigInt(today.bets) },
    amountColumn('payouts', 'Payouts', ({ today }) => today.payouts, 'md'),
    { ...ggrColumn('ggr', 'GGR', ({ today }) => today.ggr), sortBy: ({ today }) => BigInt(today.ggr) },
    figureColumn('rtp', 'RTP', ({ today }) => <Rtp {...today} />),
    countColumn('lastRounds', `Rounds, ${before}`, ({ lastWeek }) => lastWeek.rounds, 'lg'),
    ggrColumn('lastGgr', `GGR, ${before}`, ({ lastWeek }) => lastWeek.ggr, 'md'),
    figureColumn('lastRtp', `RTP, ${before}`, ({ lastWeek }) => <Rtp {...lastWeek} />, 'lg'),
    countColumn('free', 'Free rounds', ({ today }) => today.freeRounds, 'lg'),
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
