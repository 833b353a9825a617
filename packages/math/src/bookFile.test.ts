import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineSplitter } from './bookFile.ts';
import { TextMemory } from './json/textMemory.ts';

async function split(chunks: readonly Buffer[]): Promise<string[]> {
  const lines: string[] = [];
  const splitter = new LineSplitter('x', new TextMemory(), (text, start, end) => {
    expect(text[end]).toBe(0x0a);
    lines.push(text.toString('utf8', start, end));
    return lines.length % 2 === 0 ? Promise.resolve() : undefined;
  });
  for (const chunk of chunks) await splitter.push(chunk);
  await splitter.finish();
  return lines;
}

it('gives the same lines wherever the chunks are cut', async () => {
  const line = fc.stringMatching(/^[a-zé]{0,12}$/u);
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.boolean(), fc.array(fc.nat(9)), async (lines, hasLastLineFeed, sizes) => {
      const text = lines.join('\n') + (hasLastLineFeed ? '\n' : '');
      let rest = Buffer.from(text);
      const chunks = sizes.map((size) => {
        const chunk = rest.subarray(0, size);
        rest = rest.subarray(size);
        return chunk;
      });
      const expected = text.split('\n');
      if (expected.at(-1) === '') expected.pop();
      expect(await split([...chunks, rest])).toEqual(expected);
    }),
  );
});
