import type { RtpReportRow } from '@roundhouse/contract/admin';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { amountColumn, countColumn, figureColumn, textColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import { FilterBar } from '../../components/FilterBar.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { useGameFilter, useOperatorFilter } from '../../lib/choices.ts';
import { intervalText, isOpenEnded, percentText } from '../../lib/rtp.ts';
import { useFilters } from '../../lib/useFilters.ts';

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

const COLUMNS: readonly Column<Row>[] = [
  { ...textColumn('game', 'Game', ({ game }) => game), isCut: true },
  { ...textColumn('version', 'Version', ({ version }) => version, 'md'), under: 'game' },
  { ...textColumn('mode', 'Mode', ({ mode }) => mode, 'md'), under: 'game' },
  { ...textColumn('currency', 'Currency', ({ currency }) => currency, 'md'), under: 'game' },
  { ...countColumn('rounds', 'Rounds', ({ rounds }) => rounds, 'sm'), under: 'rtp' },
  { ...amountColumn('bets', 'Bets', ({ bets }) => bets, 'md'), under: 'rtp' },
  figureColumn('rtp', 'RTP', ({ rtp }) => percentText(rtp)),
  figureColumn('theoretical', 'Theoretical RTP', ({ theoreticalRtp }) => percentText(theoreticalRtp), 'sm'),
  figureColumn('interval', '99.9 % interval', (row) => (isOpenEnded(row) ? '–' : intervalText(row)), 'md'),
  textColumn('judgement', 'Verdict', (row) => <Judgement row={row} />),
  countColumn('open', 'Open rounds', ({ openRounds }) => openRounds, 'lg'),
];

/** What the rounds prove. They may be too few to prove anything. */
function Judgement({ row: { rounds, rtp, low, high, roundsForOnePoint } }: { row: Row }) {
  if (rtp === null || low === null || high === null) return <span>–</span>;
  if (rtp < low || rtp > high) return <StateBadge state="alarm" label="out of bounds" />;
  const isEnough = roundsForOnePoint !== null && Number(rounds) >= roundsForOnePoint;
  return isEnough ? <StateBadge state="ok" label="within bounds" /> : <StateBadge state="few" label="too few rounds" />;
}
