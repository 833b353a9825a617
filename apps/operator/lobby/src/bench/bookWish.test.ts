import { expect, it } from 'vitest';
import { eventsText, readWish } from './bookWish.ts';

const EMPTY = { from: '', to: '', with: '', without: '' };

it.each([
  [{}, {}],
  [{ from: '1.5', to: ' 20 × ' }, { payout: { from: 1.5, to: 20 } }],
  [{ to: '0' }, { payout: { to: 0 } }],
  [
    { from: '0,25', with: 'win', without: 'bonus' },
    { payout: { from: 0.25 }, with: ['win'], without: ['bonus'] },
  ],
])('%j asks for %j', (fields, wish) => {
  expect(readWish({ ...EMPTY, ...fields })).toEqual({ ok: true, wish });
});

it.each(['-1', '1.234', 'x', '1e3'])('refuses a payout of %s', (from) => {
  expect(readWish({ ...EMPTY, from })).toEqual({ ok: false });
});

it('names events in their order, with their number', () => {
  const events = [
    { type: 'reveal', count: 12 },
    { type: 'end', count: 1 },
  ];
  expect(eventsText(events)).toBe('reveal ×12, end');
});
