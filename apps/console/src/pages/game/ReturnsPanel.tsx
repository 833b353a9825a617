import { SegmentedControl, Stack, Text } from '@mantine/core';
import type { AdminGameDetail, GameReturns } from '@roundhouse/contract/admin';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { apiQuery } from '../../api.ts';
import { Amount } from '../../components/Amount.tsx';
import { Chart } from '../../components/Chart.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { type Filter, FilterBar } from '../../components/FilterBar.tsx';
import { KeyValue } from '../../components/KeyValue.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Panel } from '../../components/Panel.tsx';
import { useOperatorFilter } from '../../lib/choices.ts';
import { countText, intervalText, percentText } from '../../lib/rtp.ts';
import { useFilters } from '../../lib/useFilters.ts';
import { drawingOf, type Sums } from './returnsDrawing.ts';

/** Draws the return of a mode over time, with its interval and the RTP of its lookup table. */
export function ReturnsPanel({ game }: { game: AdminGameDetail }) {
  const { gameID, versions, activity } = game;
  const operatorFilter = useOperatorFilter();
  const [filters, setFilters] = useFilters('version', 'mode', 'currency', 'operator', 'from', 'to');
  const [sums, setSums] = useState<Sums>('cumulative');
  const [busiest] = [...activity].sort((one, other) => other.rounds - one.rounds);
  const version = filters.version ?? busiest?.version ?? versions[0]?.version ?? '';
  const modes = versions.find((each) => each.version === version)?.modes ?? [];
  const mode = filters.mode ?? busiest?.mode ?? modes[0]?.mode ?? '';
  const currency = filters.currency ?? busiest?.currency ?? 'USD';
  const { operator, from, to } = filters;
  const query = { version, mode, currency, ...(operator && { operator }), ...(from && { from }), ...(to && { to }) };
  const returns = useQuery({ ...apiQuery('getGameReturns', { params: { gameID }, query }), enabled: mode !== '' });
  const fields: Filter[] = [
    { name: 'version', label: 'Version', options: versions.map((each) => each.version), placeholder: version },
    { name: 'mode', label: 'Mode', options: modes.map((each) => each.mode), placeholder: mode },
    { name: 'currency', label: 'Currency', options: currenciesOf(game, currency), placeholder: currency, width: 110 },
    ...operatorFilter,
    { name: 'from', label: 'From', kind: 'date' },
    { name: 'to', label: 'To', kind: 'date' },
  ];
  return (
    <Panel
      title="RTP over time"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Points"
          value={sums}
          onChange={(next) => setSums(next as Sums)}
          data={[
            { value: 'cumulative', label: 'Cumulative' },
            { value: 'day', label: 'Daily' },
          ]}
        />
      }
    >
      <FilterBar filters={fields} values={filters} onChange={setFilters} />
      {mode === '' ? (
        <EmptyState title="No node has loaded this version" />
      ) : (
        <Loaded query={returns} lines={8}>
          {(data) => <Returns returns={data} sums={sums} />}
        </Loaded>
      )}
    </Panel>
  );
}

function currenciesOf({ activity, versions }: AdminGameDetail, shown: string): string[] {
  return [
    ...new Set([shown, ...activity.map(({ currency }) => currency), ...versions.flatMap((each) => each.currencies)]),
  ];
}

function Returns({ returns, sums }: { returns: GameReturns; sums: Sums }) {
  const { days, tableRtp, mode, currency, roundsForOnePoint } = returns;
  const { x, series, isCut } = useMemo(() => drawingOf(returns, sums), [returns, sums]);
  const last = days.at(-1)?.cumulative;
  if (last === undefined) return <EmptyState title="No rounds in this period" />;
  return (
    <Stack gap="sm">
      <KeyValue
        items={{
          Rounds: countText(last.rounds),
          Bets: <Amount micros={last.bets} currency={currency} />,
          Payouts: <Amount micros={last.payouts} currency={currency} />,
          RTP: percentText(last.rtp),
          'Theoretical RTP': percentText(tableRtp),
          '99.9 % interval': intervalText(last),
        }}
      />
      <Chart
        label={`RTP of ${mode} in ${currency}, with its 99.9 % interval`}
        xLabel="Day"
        x={x}
        series={series}
        format={percentText}
        unit="%"
        unitSize={0.01}
      />
      {isCut && (
        <Text size="sm" c="dimmed">
          The interval exceeds the chart: over few rounds, almost any RTP is possible.
        </Text>
      )}
      {roundsForOnePoint !== null && last.rounds < roundsForOnePoint && (
        <Text size="sm" c="dimmed">
          Too few rounds to judge: a deviation of one percentage point shows after about{' '}
          {countText(Number(roundsForOnePoint.toPrecision(2)))} rounds.
        </Text>
      )}
    </Stack>
  );
}
