import { Select, SimpleGrid, TextInput } from '@mantine/core';
import type { AdminOperatorDetail } from '@roundhouse/contract/admin';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, useAction } from '../../api.ts';
import { Amount } from '../../components/Amount.tsx';
import { ConfirmAction } from '../../components/ConfirmAction.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Panel } from '../../components/Panel.tsx';
import { plainAmount, readAmount } from '../../lib/money.ts';
import { useMay } from '../../lib/useAccount.ts';

type Limits = AdminOperatorDetail['limits'][number];
type LimitName = Exclude<keyof Limits, 'currency'>;

/** A threshold refuses nothing: what reaches it is recorded as a significant event. */
const LIMITS: readonly { name: LimitName; label: string; isThreshold?: true }[] = [
  { name: 'maxBetMicros', label: 'Max bet' },
  { name: 'dailyWagerLimitMicros', label: 'Daily wager limit' },
  { name: 'dailyLossLimitMicros', label: 'Daily loss limit' },
  { name: 'largeBetMicros', label: 'Large bet', isThreshold: true },
  { name: 'largeWinMicros', label: 'Large win', isThreshold: true },
  { name: 'largeDailyWagerMicros', label: 'Large daily wager', isThreshold: true },
  { name: 'largeDailyWinMicros', label: 'Large daily wins', isThreshold: true },
  { name: 'maxGrantLiabilityMicros', label: 'Max win per grant' },
];

/** Shows the limits of an operator by currency, and changes those of one. */
export function LimitsPanel({ operator }: { operator: AdminOperatorDetail }) {
  const may = useMay()('setOperatorLimits');
  const choices = useQuery(apiQuery('listPresets', {}));
  return (
    <Panel
      title="Limits"
      actions={
        may && (
          <Loaded query={choices} lines={1}>
            {({ currencies }) => <SetLimits operator={operator} currencies={currencies} />}
          </Loaded>
        )
      }
    >
      <DataTable
        label="Limits by currency"
        columns={COLUMNS}
        rows={operator.limits}
        rowKey={({ currency }) => currency}
        empty="No limits"
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<Limits>[] = [
  { id: 'currency', header: 'Currency', cell: ({ currency }) => currency },
  ...LIMITS.map(
    ({ name, label }, index): Column<Limits> => ({
      ...{ id: name, header: label, align: 'right' },
      cell: (limits) => <Amount micros={limits[name]} currency={limits.currency} />,
      ...(index > 2 ? { hideBelow: 'lg' } : index > 0 && { hideBelow: 'sm' }),
    }),
  ),
];

type Props = { operator: AdminOperatorDetail; currencies: readonly string[] };

function SetLimits({ operator: { code, limits, currencies: own }, currencies }: Props) {
  const [currency, setCurrency] = useState(limits[0]?.currency ?? own[0] ?? 'USD');
  const [typed, setTyped] = useState<Partial<Record<LimitName, string>>>({});
  const set = useAction('setOperatorLimits', { refreshes: ['getOperator'], done: `Limits of ${code} are changed` });
  const stored = limits.find((each) => each.currency === currency);
  const textOf = (name: LimitName) => typed[name] ?? plainAmount(stored?.[name] ?? null, currency);
  const readings = LIMITS.map(({ name }) => ({
    name,
    text: textOf(name).trim(),
    micros: readAmount(textOf(name), currency),
  }));
  const isWrong = ({ text, micros }: (typeof readings)[number]) => text !== '' && micros === undefined;
  const changed = readings.filter(
    ({ name, text, micros }) => (text === '' ? null : micros) !== (stored?.[name] ?? null),
  );
  return (
    <ConfirmAction
      label="Change limits"
      title={`Change limits of ${code} in ${currency}?`}
      consequence="They apply to every player of the operator in this currency from the next bet. An empty field removes the limit. A threshold refuses nothing, it records an event."
      confirmLabel={`Set limits in ${currency}`}
      isValid={changed.length > 0 && !readings.some(isWrong)}
      onConfirm={async () => {
        const amounts = Object.fromEntries(
          changed.map(({ name, text, micros }) => [name, text === '' ? null : micros]),
        );
        await set.mutateAsync({ params: { operator: code }, body: { limits: [{ currency, ...amounts }] } });
        setTyped({});
      }}
      fields={['currency', ...LIMITS.map(({ name }) => name)]}
    >
      {(issues) => (
        <>
          <Select
            label="Currency"
            data={own.length > 0 ? [...own] : [...currencies]}
            value={currency}
            error={issues.currency}
            searchable
            allowDeselect={false}
            onChange={(next) => {
              setCurrency(next ?? currency);
              setTyped({});
            }}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {LIMITS.map(({ name, label, isThreshold }, index) => (
              <TextInput
                key={name}
                label={isThreshold ? `${label}, threshold` : label}
                placeholder="none"
                inputMode="decimal"
                value={textOf(name)}
                error={readings[index] && isWrong(readings[index]) ? 'Enter an amount like 12.50' : issues[name]}
                onChange={(event) => {
                  const { value } = event.currentTarget;
                  setTyped((before) => ({ ...before, [name]: value }));
                }}
              />
            ))}
          </SimpleGrid>
        </>
      )}
    </ConfirmAction>
  );
}
