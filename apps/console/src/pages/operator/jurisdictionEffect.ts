import type { AdminOperatorDetail, OperatorPresets } from '@roundhouse/contract/admin';
import { JURISDICTION_DURATIONS } from '@roundhouse/contract/light';
import { amountText } from '../../lib/money.ts';

type Preset = OperatorPresets['presets'][number];

/** A value is undefined without the rule. */
export type FieldEffect = { field: string; before: unknown; after: unknown; source: string };

type Choice = {
  now: AdminOperatorDetail['jurisdiction'];
  preset: Preset | undefined;
  own: Readonly<Record<string, unknown>>;
};

/** Returns every rule that applies before or after. Overrides win over the preset. */
export function effectOf({ now, preset, own }: Choice): FieldEffect[] {
  const before: Readonly<Record<string, unknown>> = now;
  const values = new Map((preset?.values ?? []).map((each) => [each.field, each]));
  const fields = [...new Set([...Object.keys(before), ...values.keys(), ...Object.keys(own)])].sort();
  return fields.map((field) => {
    const given = values.get(field);
    const isOwn = Object.hasOwn(own, field);
    return {
      field,
      before: before[field],
      after: isOwn ? own[field] : given?.value,
      source: isOwn ? 'override' : given === undefined ? 'removed' : sourceText(given),
    };
  });
}

function sourceText({ rule, source, from }: Preset['values'][number]): string {
  return from.length > 0 ? `as ${from.join(', ')}` : `${rule}, ${source}`;
}

/** Returns the value of a rule in words. Amounts are by currency. */
export function valueText(value: unknown, rule = ''): string {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object') return `${value}${UNITS[rule] ?? ''}`;
  const amounts = Object.entries(value).map(([currency, micros]) => amountText(micros, currency));
  return amounts.join(', ') || 'none';
}

const UNITS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(JURISDICTION_DURATIONS.map((rule) => [rule, ' ms'])),
  minimumRTP: ' %',
};
