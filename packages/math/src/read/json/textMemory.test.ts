import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { damagedText, splinterText } from '../../../test/support/jsonTexts.ts';
import { skipValue } from './scan.ts';
import { TextMemory } from './textMemory.ts';

const memory = new TextMemory();

/**
 * Returns where each reader says that the value ends, of a text that a block of 64 cuts at any
 * place.
 */
function ends(json: string, startsAt: number): { fast: number; exact: number | undefined; text: string } {
  const text = `["${'x'.repeat(startsAt % 64)}",${json}]`;
  const bytes = memory.reserve(startsAt + text.length * 3 + 1);
  const end = startsAt + bytes.write(text, startsAt);
  bytes[end] = 0x0a;
  let exact: number | undefined;
  try {
    exact = skipValue(bytes, startsAt, 0);
  } catch {}
  return { fast: memory.skipCertain(startsAt), exact, text };
}

const place = fc.nat(300);
const value = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));

/** Python writes JSON in this way: with a space after each comma and colon. */
function spaced(json: unknown): string {
  if (Array.isArray(json)) return `[${json.map(spaced).join(', ')}]`;
  if (typeof json !== 'object' || json === null) return JSON.stringify(json);
  return `{${Object.entries(json)
    .map(([key, member]) => `${JSON.stringify(key)}: ${spaced(member)}`)
    .join(', ')}}`;
}

describe('the check of TextMemory', () => {
  it('is certain of the JSON that programs write', () => {
    fc.assert(
      fc.property(value, place, fc.constantFrom(JSON.stringify, spaced), (json, at, write) => {
        const { fast, exact } = ends(write(json), at);
        expect(exact).toBeDefined();
        expect(fast).toBe(exact);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['damaged texts', damagedText],
    ['texts made of splinters', splinterText],
  ])('is certain of no %s that are not JSON', (_name, texts) => {
    fc.assert(
      fc.property(texts, place, (json, at) => {
        const { fast, exact, text } = ends(json, at);
        if (fast !== 0) expect([text, fast]).toEqual([text, exact]);
      }),
      { numRuns: 10_000 },
    );
  });

  it('is certain down to 64 levels', () => {
    for (const [levels, isCertain] of [
      [63, true],
      [64, false],
    ] as const) {
      const { fast } = ends('['.repeat(levels) + ']'.repeat(levels), 0);
      expect(fast !== 0).toBe(isCertain);
    }
  });
});
