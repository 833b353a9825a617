import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkTable, placeOfTicket } from '../src/checkTable.ts';
import { hmacUnder, isClientSeed, type Try, ticketOf } from '../src/index.ts';
import { limitOf, ticketOfValue } from '../src/ticket.ts';
import { makeTable, numbersFrom, type Table, tableOf } from './support/makeDocument.ts';

const serverSeed = new Uint8Array(32).map((_, index) => index);
const facts = { game: 'g', version: '1', mode: 'BASE', clientSeed: 'seed', nonce: 0 };
const u64 = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n });
/** Weights near powers of two are the ones where a limit may be wrong by one. */
const totals = fc.oneof(
  u64,
  fc.tuple(fc.integer({ min: 1, max: 63 }), fc.integer({ min: -2, max: 2 })).map(([power, by]) => {
    const total = 2n ** BigInt(power) + BigInt(by);
    return total < 1n ? 1n : total;
  }),
  fc.constantFrom(1n, 2n, 3n, 2n ** 63n, 2n ** 63n + 1n, 2n ** 64n - 1n),
);

describe('each ticket is exactly equally likely', () => {
  it.each([1, 2, 16, 100, 255, 256, 1000])('all values of a range of %i', (range) => {
    for (let total = 1; total <= range; total += 1) {
      const limit = limitOf(BigInt(total), BigInt(range));
      const counts = new Map<bigint, number>();
      let rejected = 0;
      for (let value = 0; value < range; value += 1) {
        const ticket = ticketOfValue(BigInt(value), BigInt(total), limit);
        if (ticket === undefined) rejected += 1;
        else counts.set(ticket, (counts.get(ticket) ?? 0) + 1);
      }
      expect(counts.size).toBe(total);
      expect(new Set(counts.values())).toEqual(new Set([Math.floor(range / total)]));
      // Less than half of the values is rejected, so a draw needs 2 tries at most on average.
      expect(rejected).toBe(range % total);
      expect(rejected * 2).toBeLessThan(range);
    }
  });

  it.each([1, 2, 3, 7, 20])('each of %i rows has exactly its weight of the values', (count) => {
    const range = 4096n;
    const table = smallTable(count);
    const written = tableOf(table, [...table.rows.keys()]);
    const [check, total] = [checkTable(written), BigInt(written.totalWeight)];
    const limit = limitOf(total, range);
    const counts = table.rows.map(() => 0n);
    for (let value = 0n; value < range; value += 1n) {
      const ticket = ticketOfValue(value, total, limit);
      const place = ticket === undefined ? -1 : placeOfTicket(written, check, ticket);
      if (place >= 0) counts[place] = (counts[place] as bigint) + 1n;
    }
    expect(counts).toEqual(table.rows.map(({ weight }) => weight * (limit / total)));
  });
});

it('the limit is the largest multiple of the total weight in 2^64', () => {
  fc.assert(
    fc.property(totals, (total) => {
      const limit = limitOf(total);
      expect(limit % total).toBe(0n);
      expect(limit <= 2n ** 64n && limit + total > 2n ** 64n).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

it('a ticket is the first accepted value, as node:crypto and the words of the scheme have it', () => {
  const draws = fc.record({
    seed: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    clientSeed: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 }),
    nonce: fc.nat(),
    total: totals,
  });
  fc.assert(
    fc.property(draws, ({ seed, clientSeed, nonce, total }) => {
      const tries: Try[] = [];
      const ticket = ticketOf(hmacUnder(seed), { ...facts, clientSeed, nonce }, total, (one) => tries.push(one));
      expect(ticket >= 0n && ticket < total).toBe(true);
      expect(tries.map(({ accepted }) => accepted)).toEqual([...tries.slice(1).map(() => false), true]);
      for (const [attempt, { message, hmac, value, accepted }] of tries.entries()) {
        expect(message).toBe(`roundhouse-fair-1:g:1:BASE:${nonce}:${attempt}:${clientSeed}`);
        const expected = createHmac('sha256', seed).update(message, 'utf8').digest();
        expect(Buffer.from(hmac)).toEqual(expected);
        expect(value).toBe(expected.readBigUInt64BE(0));
        expect(accepted).toBe(value < 2n ** 64n - (2n ** 64n % total));
      }
      expect(ticket).toBe((tries.at(-1) as Try).value % total);
    }),
    { numRuns: 1000 },
  );
});

it('draws with the HMAC of the platform as with its own', () => {
  const hmac = (message: string) => createHmac('sha256', serverSeed).update(message).digest();
  for (let nonce = 0; nonce < 500; nonce += 1) {
    const total = 2n ** 63n + 1n;
    const drawn = { ...facts, nonce };
    expect(ticketOf(hmac, drawn, total)).toBe(ticketOf(hmacUnder(serverSeed), drawn, total));
  }
});

it('the row of a ticket is the first whose weights up to it are above the ticket', () => {
  const rowsOf = fc.record({
    seed: fc.nat(),
    count: fc.integer({ min: 1, max: 40 }),
    power: fc.constantFrom(2, 32, 58),
  });
  fc.assert(
    fc.property(rowsOf, fc.nat(), ({ seed, count, power }, ticketSeed) => {
      const table = makeTable(count, 'BASE', seed);
      for (const row of table.rows) row.weight = (row.weight << BigInt(power)) >> 31n || 1n;
      const below = numbersFrom(ticketSeed);
      const positions = [...table.rows.keys()].filter(() => below(3) > 0);
      const written = tableOf(table, positions);
      const total = BigInt(written.totalWeight);
      for (let run = 0; run < 20; run += 1) {
        const ticket = (BigInt(below(2 ** 32)) * total) >> 32n;
        let end = 0n;
        const naive = table.rows.findIndex(({ weight }) => {
          end += weight;
          return end > ticket;
        });
        expect(placeOfTicket(written, checkTable(written), ticket)).toBe(positions.indexOf(naive));
      }
    }),
  );
});

it('a client seed has 1 to 64 code points, no control characters and no half of a pair', () => {
  for (const good of ['a', 'a:b c', '😀'.repeat(64), 'x'.repeat(64), 'é']) {
    expect(isClientSeed(good), good).toBe(true);
  }
  for (const bad of ['', 'x'.repeat(65), '😀'.repeat(65), 'a\u0000', 'a\n', '\u007f', '\u009f', '\ud83d', '\ude00a']) {
    expect(isClientSeed(bad), JSON.stringify(bad)).toBe(false);
  }
});

function smallTable(count: number): Table {
  const below = numbersFrom(count);
  const table = makeTable(count);
  for (const row of table.rows) row.weight = BigInt(1 + below(100));
  return table;
}
