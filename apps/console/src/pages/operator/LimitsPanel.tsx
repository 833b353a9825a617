import { Fieldset, Select, SimpleGrid, TextInput } from '@mantine/core';
import type { AdminOperatorDetail } from '@roundhouse/contract/admin';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, useAction } from '../../api.ts';
import { Amount } from '../../components/Amount.tsx';
import { ConfirmAction } from '../../components/ConfirmAction.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { UNCHANGED } from '../../components/FormButtons.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Panel } from '../../components/Panel.tsx';
import { plainAmount, readAmount } from '../../lib/money.ts';
import { useMay } from '../../lib/useAccount.ts';

type Limits = AdminOperatorDetail['limits'][number];
type LimitName = Exclude<keyof Limits, 'currency'>;

const LIMITS: readonly { name: LimitName; label: string; isReport?: true }[] = [
  { name: 'maxBetMicros', label: 'Max bet' },
  { name: 'dailyWagerLimitMicros', label: 'Daily wager limit' },
  { name: 'dailyLossLimitMicros', label: 'Daily loss limit' },
  { name: 'maxGrantLiabilityMicros', label: 'Max win per grant' },
  { name: 'largeBetMicros', label: 'Large bet', isReport: true },
  { name: 'largeWinMicros', label: 'Large win', isReport: true },
  { name: 'largeDailyWagerMicros', label: 'Large daily wager', isReport: true },
  { name: 'largeDailyWinMicros', label: 'Large daily wins', isReport: true },
];
const GROUPS = [
  { legend: 'Refused beyond these limits', isReport: undefined },
  { legend: 'Only reported, as significant events', isReport: true },
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
    ({ name, label, isReport }, index): Column<Limits> => ({
      ...{ id: name, header: isReport ? `${label}, reported` : label, align: 'right' },
      cell: (limits) => <Amount micros={limits[name]} currency={limits.currency} />,
      ...(index > 0 && { hideBelow: index > 2 ? 'lg' : 'sm', under: 'maxBetMicros' }),
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
      consequence="They apply to every player of the operator in this currency from the next bet. An empty field removes the limit."
      confirmLabel={`Set limits in ${currency}`}
      incomplete={readings.some(isWrong) ? 'An amount is wrong.' : changed.length === 0 ? UNCHANGED : undefined}
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
          {GROUPS.map(({ legend, isReport: isOfGroup }) => (
            <Fieldset key={legend} legend={legend} px="sm" pb="sm" pt={4}>
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                {LIMITS.map(({ name, label, isReport }, index) =>
                  isReport === isOfGroup ? (
                    <TextInput
                      key={name}
                      label={label}
                      placeholder="none"
                      inputMode="decimal"
                      value={textOf(name)}
                      error={readings[index] && isWrong(readings[index]) ? 'Enter an amount like 12.50' : issues[name]}
                      onChange={(event) => {
                        const { value } = event.currentTarget;
                        setTyped((before) => ({ ...before, [name]: value }));
                      }}
                    />
                  ) : null,
                )}
              </SimpleGrid>
            </Fieldset>
          ))}
        </>
      )}
    </ConfirmAction>
  );
}
