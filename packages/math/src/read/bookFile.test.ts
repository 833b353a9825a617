import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineJoiner } from './bookFile.ts';
import { DECODED_BYTES, FREE_BYTES } from './decodeZstd.ts';
import { TextMemory } from './json/textMemory.ts';

/** The pieces come to two places, in turn. */
const PLACES = [FREE_BYTES, DECODED_BYTES / 2];

function split(chunks: readonly Buffer[]): string[] {
  const memory = new TextMemory();
  memory.reserve(DECODED_BYTES);
  const joiner = new LineJoiner(memory);
  const lines: string[] = [];
  const take = ({ text, start, end }: ReturnType<LineJoiner['finish']>): void => {
    if (start < end) expect(text[end - 1]).toBe(0x0a);
    lines.push(...text.toString('utf8', start, end).split('\n').slice(0, -1));
    // The reader may overwrite lines that it has had.
    text.fill(0, start, end);
  };
  for (const [index, chunk] of chunks.entries()) {
    const place = PLACES[index % 2] as number;
    const content = memory.reserve(DECODED_BYTES).subarray(place, place + chunk.length);
    content.set(chunk);
    take(joiner.add(content));
  }
  take(joiner.finish());
  return lines;
}

it('gives the same lines wherever the chunks are cut', () => {
  const line = fc.stringMatching(/^[a-zé]{0,12}$/u);
  fc.assert(
    fc.property(fc.array(line), fc.boolean(), fc.array(fc.nat(9)), (lines, hasLastLineFeed, sizes) => {
      const text = lines.join('\n') + (hasLastLineFeed ? '\n' : '');
      let rest = Buffer.from(text);
      const chunks = sizes.map((size) => {
        const chunk = rest.subarray(0, size);
        rest = rest.subarray(size);
        return chunk;
      });
      const expected = text.split('\n');
      if (expected.at(-1) === '') expected.pop();
      expect(split([...chunks, rest])).toEqual(expected);
    }),
  );
});

it('joins a line that is longer than the free bytes before a piece', () => {
  const lines = ['a', 'b'.repeat(3 * FREE_BYTES), 'c', 'd'.repeat(FREE_BYTES + 1), 'e'.repeat(FREE_BYTES), 'f'];
  const text = Buffer.from(lines.join('\n'));
  const chunks: Buffer[] = [];
  for (let at = 0; at < text.length; at += 100_000) chunks.push(text.subarray(at, at + 100_000));
  expect(split(chunks)).toEqual(lines);
});
