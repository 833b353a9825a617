import { Group, Text } from '@mantine/core';
import { MICROS_PER_UNIT } from '@roundhouse/contract';
import type { NetPosition } from '@roundhouse/contract/admin';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo } from 'react';
import { apiQuery } from '../../api.ts';
import { Amount } from '../../components/Amount.tsx';
import { Chart } from '../../components/Chart.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { FilterBar } from '../../components/FilterBar.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import type { PlayerKey } from '../../components/links.tsx';
import { amountText } from '../../lib/money.ts';
import { dayText } from '../../lib/time.ts';
import { useFilters } from '../../lib/useFilters.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
/** The limit of the server. */
const MOST_DAYS = 92;

/** Shows what the player won or lost each day, in one currency. */
export function NetPositionPanel({ player, currencies }: { player: PlayerKey; currencies: readonly string[] }) {
  const [filters, setFilters] = useFilters('currency', 'first', 'last');
  const last = filters.last ?? dayText(Date.now());
  const first = filters.first ?? dayText(Date.parse(last) - (DEFAULT_DAYS - 1) * DAY_MS);
  const currency = currencies.find((each) => each === filters.currency) ?? currencies[0];
  const position = useQuery({
    ...apiQuery('getNetPosition', { params: player, query: { from: first, to: last } }),
    placeholderData: keepPreviousData,
  });
  if (currency === undefined) return <EmptyState title="The player has no accounts" />;
  return (
    <>
      <FilterBar
        filters={[
          ...(currencies.length > 1 ? [{ name: 'currency', label: 'Currency', options: currencies }] : []),
          { name: 'first', label: 'First day', kind: 'date' },
          { name: 'last', label: 'Last day', kind: 'date' },
        ]}
        values={{ ...filters, first, last }}
        onChange={setFilters}
      />
      <Loaded query={position}>
        {({ days }) => <Days days={days} currency={currency} first={first} last={last} />}
      </Loaded>
    </>
  );
}

type DaysProps = { days: NetPosition['days']; currency: string; first: string; last: string };

function Days({ days, currency, first, last }: DaysProps) {
  const own = useMemo(() => days.filter((each) => each.currency === currency), [days, currency]);
  const x = useMemo(() => secondsBetween(first, last), [first, last]);
  const series = useMemo(() => {
    const nets = new Map(own.map(({ day, net }) => [Date.parse(day) / 1000, Number(net)]));
    return [{ label: 'Net position', values: x.map((at) => nets.get(at) ?? 0), kind: 'bars' as const }];
  }, [own, x]);
  const format = useCallback((micros: number) => amountText(Math.round(micros), currency), [currency]);
  if (own.length === 0) return <EmptyState title="No rounds on these days" />;
  const sum = (name: 'bets' | 'payouts' | 'net') => own.reduce((total, day) => total + BigInt(day[name]), 0n);
  return (
    <>
      <Group gap="lg" mb="sm">
        <Total label="Rounds" value={own.reduce((total, { rounds }) => total + rounds, 0).toLocaleString('en')} />
        <Total label="Bets" value={<Amount micros={sum('bets')} currency={currency} />} />
        <Total label="Payouts" value={<Amount micros={sum('payouts')} currency={currency} />} />
        <Total label="Net position" value={<Amount micros={sum('net')} currency={currency} isSigned />} />
      </Group>
      <Chart
        {...{ label: 'Net position by day', xLabel: 'Day', x, series, format }}
        unit={currency}
        unitSize={MICROS_PER_UNIT}
      />
    </>
  );
}

function Total({ label, value }: { label: string; value: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="md" fw={500} component="div">
        {value}
      </Text>
    </div>
  );
}

/** Returns each day from the first to the last, in seconds since 1970. */
function secondsBetween(first: string, last: string): number[] {
  const begin = Date.parse(first);
  const count = Math.round((Date.parse(last) - begin) / DAY_MS) + 1;
  return Array.from({ length: Math.min(Math.max(count, 0), MOST_DAYS) }, (_, day) => (begin + day * DAY_MS) / 1000);
}
