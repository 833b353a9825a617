import { expect, it } from 'vitest';
import { createCryptoRandom } from './random.ts';

it('gives fresh bits in all 64 places, beyond one filling of its buffer', () => {
  const random = createCryptoRandom();
  const into = new Uint32Array(2);
  const ones = new Float64Array(64);
  const seen = new Set<bigint>();
  const draws = 20_000;
  for (let index = 0; index < draws; index += 1) {
    random(into);
    const [high, low] = into as unknown as [number, number];
    seen.add((BigInt(high) << 32n) | BigInt(low));
    for (let bit = 0; bit < 32; bit += 1) {
      ones[bit] = (ones[bit] as number) + ((low >>> bit) & 1);
      ones[bit + 32] = (ones[bit + 32] as number) + ((high >>> bit) & 1);
    }
  }
  expect(seen.size).toBe(draws);
  // Seven standard deviations of a fair bit: a false alarm in one run of billions.
  for (const count of ones) expect(Math.abs(count - draws / 2)).toBeLessThan(7 * Math.sqrt(draws / 4));
});
