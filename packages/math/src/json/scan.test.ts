import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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

const jsonText = fc
  .tuple(fc.jsonValue(), fc.constantFrom('', ' ', '\t'))
  .map(([value, indent]) => JSON.stringify(value, null, indent).replaceAll('\n', '\r'));
/** What breaks or bends JSON when it stands at a random place. */
const splinter = fc.constantFrom(
  ...['"', '\\', '{', '}', '[', ']', ',', ':', '0', '00', '1', '-', '+', '.', 'e', 'E5', 'e-', '\\u12', '\\u00e9'],
  ...[
    '\\ud800',
    '\\x',
    '\u0000',
    '\u001f',
    '\u007f',
    ' ',
    '\t',
    '\r',
    '\u00a0',
    'true',
    'nul',
    'null',
    '-0',
    '1.5',
    'é',
    '/*',
  ],
);

describe('skipValue', () => {
  it('accepts what JSON.parse accepts', () => {
    fc.assert(fc.property(jsonText, (text) => scannerAccepts(text)));
  });

  it('agrees with JSON.parse on damaged texts', () => {
    const damaged = fc.tuple(jsonText, splinter, fc.nat(), fc.nat(3)).map(([text, piece, place, removed]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + piece + text.slice(at + removed);
    });
    fc.assert(
      fc.property(damaged, (text) => {
        expect(scannerAccepts(text)).toBe(parserAccepts(text));
      }),
      { numRuns: 3000 },
    );
  });

  it('agrees with JSON.parse on texts made of splinters', () => {
    const text = fc.array(splinter, { maxLength: 8 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, (pieces) => {
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

  it('finds the bytes of each member wherever it stands', () => {
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
