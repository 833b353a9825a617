import type { RtpReportRow } from '@roundhouse/contract/admin';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { Amount } from '../../components/Amount.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import { FilterBar } from '../../components/FilterBar.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { useGameFilter, useOperatorFilter } from '../../lib/choices.ts';
import { countText, intervalText, percentText } from '../../lib/rtp.ts';
import { useFilters } from '../../lib/useFilters.ts';
import { GameCell } from './GameCell.tsx';

type Row = RtpReportRow;

/** Compares the returns of games with their lookup tables, like `roundhouse rtp`. */
export function RtpReport() {
  const [operatorFilter, gameFilter] = [useOperatorFilter(), useGameFilter()];
  const [filters, setFilters] = useFilters('from', 'to', 'operator', 'game');
  const rtp = useQuery({ ...apiQuery('getRtpReport', { query: filters }), placeholderData: keepPreviousData });
  return (
    <>
      <FilterBar
        filters={[
          { name: 'from', label: 'First day', kind: 'date' },
          { name: 'to', label: 'Last day', kind: 'date' },
          ...operatorFilter,
          gameFilter,
        ]}
        values={filters}
        onChange={setFilters}
      />
      <Loaded query={rtp}>
        {({ items }) => (
          <DataTable<Row>
            label="RTP of games"
            columns={COLUMNS}
            rows={items}
            rowKey={({ game, version, mode, currency }) => JSON.stringify([game, version, mode, currency])}
            empty="No activity"
            footer={<DownloadButton table="rtp" query={filters} />}
          />
        )}
      </Loaded>
    </>
  );
}

const HIDE_BELOW: Readonly<Record<string, Column<Row>['hideBelow']>> = {
  rounds: 'sm',
  bets: 'md',
  theoretical: 'sm',
  interval: 'md',
  open: 'lg',
};

const right = (id: string, header: string, cell: Column<Row>['cell']): Column<Row> => ({
  ...{ id, header, cell, align: 'right', hideBelow: HIDE_BELOW[id] },
});

const COLUMNS: readonly Column<Row>[] = [
  { id: 'game', header: 'Game', cell: (row) => <GameCell {...row} />, isCut: true },
  { id: 'version', header: 'Version', cell: ({ version }) => version, hideBelow: 'md' },
  { id: 'mode', header: 'Mode', cell: ({ mode }) => mode, hideBelow: 'md' },
  { id: 'currency', header: 'Currency', cell: ({ currency }) => currency, hideBelow: 'md' },
  right('rounds', 'Rounds', ({ rounds }) => countText(Number(rounds))),
  right('bets', 'Bets', ({ bets, currency }) => <Amount micros={bets} currency={currency} />),
  right('rtp', 'RTP', ({ rtp }) => percentText(rtp)),
  right('theoretical', 'Theoretical RTP', ({ theoreticalRtp }) => percentText(theoreticalRtp)),
  right('interval', '99.9 % interval', intervalText),
  { id: 'judgement', header: 'Verdict', cell: (row) => <Judgement row={row} /> },
  right('open', 'Open rounds', ({ openRounds }) => countText(Number(openRounds))),
];

/** What the rounds prove. They may be too few to prove anything. */
function Judgement({ row: { rounds, rtp, low, high, roundsForOnePoint } }: { row: Row }) {
  if (rtp === null || low === null || high === null) return <span>–</span>;
  if (rtp < low || rtp > high) return <StateBadge state="alarm" label="out of bounds" />;
  const isEnough = roundsForOnePoint !== null && Number(rounds) >= roundsForOnePoint;
  return isEnough ? <StateBadge state="ok" label="within bounds" /> : <StateBadge state="few" label="too few rounds" />;
}
