import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type BookGroup, bookGroups, groupOf } from './bookGroups.ts';

const cumulativeOf = (weights: readonly bigint[]) => {
  let sum = 0n;
  return BigUint64Array.from(weights, (weight) => {
    sum += weight;
    return sum;
  });
};

it('groups cover every book once, none is less likely than requested, and the probabilities are exact', () => {
  const weights = fc
    .array(fc.bigInt({ min: 0n, max: 2n ** 40n }), { minLength: 1, maxLength: 60 })
    .filter((all) => all.some((weight) => weight > 0n));
  fc.assert(
    fc.property(weights, fc.integer({ min: 1, max: 80 }), (all, most) => {
      const groups = bookGroups(cumulativeOf(all), most);
      const total = all.reduce((sum, weight) => sum + weight, 0n);
      expect(groups.length).toBeLessThanOrEqual(most);
      expect(groups.at(-1)?.end).toBe(all.length);
      let start = 0;
      for (const [index, { end, probability }] of groups.entries()) {
        const weight = all.slice(start, end).reduce((sum, each) => sum + each, 0n);
        expect(weight * BigInt(most)).toBeGreaterThanOrEqual(total);
        expect(probability).toBeCloseTo(Number(weight) / Number(total), 14);
        for (let position = start; position < end; position += 1) expect(groupOf(groups, position)).toBe(index);
        start = end;
      }
    }),
  );
});

it('a group ends with the book that brings it to 1/most, and a rest below that joins the last group', () => {
  const groups: BookGroup[] = bookGroups(cumulativeOf([1n, 90n, 5n, 4n, 0n]), 10);
  expect(groups).toEqual([{ end: 5, probability: 1 }]);
  expect(bookGroups(cumulativeOf([10n, 10n, 70n, 9n, 1n]), 10).map(({ end }) => end)).toEqual([1, 2, 3, 5]);
});
