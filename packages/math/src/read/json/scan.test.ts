import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { damagedText, jsonText, splinterText } from '../../../test/support/jsonTexts.ts';
import { memberReader } from './members.ts';
import { JsonSyntaxError, skipSpace, skipValue } from './scan.ts';

function scannerAccepts(text: string): boolean {
  const bytes = Buffer.from(`${text}\n`);
  try {
    return skipSpace(bytes, skipValue(bytes, skipSpace(bytes, 0))) === bytes.length - 1;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false;
    throw error;
  }
}

function parserAccepts(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('skipValue', () => {
  it('accepts what JSON.parse accepts', () => {
    fc.assert(fc.property(jsonText, (text) => scannerAccepts(text)));
  });

  it('agrees with JSON.parse on damaged texts', () => {
    fc.assert(
      fc.property(damagedText, (text) => {
        expect(scannerAccepts(text)).toBe(parserAccepts(text));
      }),
      { numRuns: 3000 },
    );
  });

  it('agrees with JSON.parse on texts made of splinters', () => {
    fc.assert(
      fc.property(splinterText, (pieces) => {
        expect(scannerAccepts(pieces)).toBe(parserAccepts(pieces));
      }),
      { numRuns: 3000 },
    );
  });

  it('refuses a text that is nested too deep instead of overflowing the stack', () => {
    expect(scannerAccepts('['.repeat(500) + ']'.repeat(500))).toBe(true);
    expect(scannerAccepts('['.repeat(501) + ']'.repeat(501))).toBe(false);
    expect(scannerAccepts('{"a":'.repeat(100_000))).toBe(false);
  });
});

describe('memberReader', () => {
  const read = (text: string, names: readonly string[]): (string | undefined)[] => {
    const bytes = Buffer.from(`${text}\n`);
    const slices = memberReader(names)(bytes, 0, bytes.length - 1);
    return slices.map(({ start, end }) => (start === -1 ? undefined : bytes.toString('utf8', start, end)));
  };

  it('finds the bytes of each member wherever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (first, wanted, last) => {
        const text = JSON.stringify({ first, wanted, last });
        expect(read(text, ['wanted', 'none'])).toEqual([JSON.stringify(wanted), undefined]);
      }),
    );
  });

  it('leaves members of inner objects and strings that look like members alone', () => {
    expect(read('{"a":{"id":1},"b":"\\"id\\":2","c":["id",3], "id" : 4 }', ['id'])).toEqual(['4']);
  });

  it('knows a key that is written with escapes', () => {
    expect(read('{"\\u0069d":7}', ['id'])).toEqual(['7']);
  });

  it.each(['{"id":1,"id":1}', '{"id":1,"\\u0069\\u0064":1}'])('refuses a key that comes twice: %s', (text) => {
    expect(() => read(text, ['id'])).toThrow('"id" comes twice');
  });

  it.each(['', '[]', '"x"', 'null', '{"id":1} x', '{"id":1}}', '{"id":1,}', '{,}'])('refuses %j', (text) => {
    expect(() => read(text, ['id'])).toThrow(JsonSyntaxError);
  });
});
