import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isStorableText, isWellFormedText, isWithinCharacters } from './text.ts';

describe('isWithinCharacters', () => {
  it('counts code points, of which an emoji is one', () => {
    expect(isWithinCharacters('😀😀', 2)).toBe(true);
    expect(isWithinCharacters('😀😀😀', 2)).toBe(false);
    expect(isWithinCharacters('', 2)).toBe(false);
  });

  it('agrees with counting them one by one', () => {
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 20 }), fc.nat(20), (text, max) => {
      const count = [...text].length;
      expect(isWithinCharacters(text, max)).toBe(count >= 1 && count <= max);
    });
    fc.assert(property);
  });
});

describe('isStorableText', () => {
  it.each(['', 'plain', '😀', 'ä\n\u0001', '\uFFFD'])('takes %j', (text) => expect(isStorableText(text)).toBe(true));

  it.each(['\u0000', 'a\u0000b', '\uD83D', '\uDE00', '\uDE00\uD83D', 'a\uD83Db'])('refuses %j', (text) => {
    expect(isStorableText(text)).toBe(false);
  });
});

it('isWellFormedText holds exactly for what UTF-8 gives back the same', () => {
  const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 });
  const property = fc.property(units, (codes) => {
    const text = String.fromCharCode(...codes);
    expect(isWellFormedText(text)).toBe(Buffer.from(text, 'utf8').toString('utf8') === text);
  });
  fc.assert(property);
});
