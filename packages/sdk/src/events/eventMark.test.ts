import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventMark, resumeIndex } from './eventPlayer.ts';

const events = [{}, {}, {}];

describe('a mark', () => {
  it('is read back as the place it was made of, up to the end of the book', () => {
    for (const index of [0, 1, 2, 3]) expect(resumeIndex(eventMark(index), events)).toBe(index);
    expect(resumeIndex(eventMark(999_999_999), { length: 1e9 } as unknown[])).toBe(999_999_999);
  });

  it.each([-1, 0.5, Number.NaN, 1e9, 1e21])('is not made of %d', (index) => {
    expect(() => eventMark(index)).toThrow(RangeError);
  });

  it.each([null, '', 'next:', 'next:4', 'next:-1', 'next:1.5', 'next:1e0', ' next:1', 'next:1\n', '1', 'picked:2'])(
    'is not %j: the round is shown from its start',
    (recorded) => expect(resumeIndex(recorded, events)).toBe(0),
  );

  it('is a place in the book, whatever was recorded', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.nat(20).map(eventMark)), fc.nat(9), (recorded, length) => {
        const index = resumeIndex(recorded, Array.from({ length }));
        expect(Number.isInteger(index) && index >= 0 && index <= length).toBe(true);
      }),
    );
  });
});
