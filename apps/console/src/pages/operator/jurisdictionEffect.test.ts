import { expect, it } from 'vitest';
import { effectOf, valueText } from './jurisdictionEffect.ts';

const value = (field: string, given: unknown) => ({
  ...{ field, value: given, rule: 'RTS 1', source: 'The law', sourceUrl: null, from: [] },
});

it('a preset replaces what is stored, and overrides win over it', () => {
  const preset = {
    name: 'uk',
    place: 'Great Britain',
    notes: [],
    values: [value('displayRTP', true), value('idleTimeout', 5)],
  };
  const now = { disabledTurbo: true, idleTimeout: 1 };
  expect(effectOf({ now, preset, own: { idleTimeout: 9 } })).toEqual([
    { field: 'disabledTurbo', before: true, after: undefined, source: 'removed' },
    { field: 'displayRTP', before: undefined, after: true, source: 'RTS 1, The law' },
    { field: 'idleTimeout', before: 1, after: 9, source: 'override' },
  ]);
});

it('shows a value in words', () => {
  const values = [true, false, undefined, { GBP: 2_000_000, USD: 1_500_000 }].map((each) => valueText(each));
  expect(values).toEqual(['yes', 'no', '–', '£2.00, $1.50']);
  expect([valueText(2500, 'minimumRoundDuration'), valueText(85, 'minimumRTP')]).toEqual(['2500 ms', '85 %']);
});
