import { expect, it } from 'vitest';
import { createScreen } from './screen.ts';

/** Returns what the screen writes for these texts. */
function written(out: { isTTY?: boolean; rows?: number }, texts: string[]): string[] {
  const all: string[] = [];
  const screen = createScreen({ ...out, write: (text: string) => all.push(text) > 0 } as NodeJS.WriteStream);
  for (const text of texts) screen.show(text);
  return all;
}

it('draws each text over the one before on a terminal, and leaves nothing of it', () => {
  expect(written({ isTTY: true, rows: 10 }, ['one\ntwo', 'three'])).toEqual([
    '\x1b[2J\x1b[?7l\x1b[Hone\x1b[K\ntwo\x1b[K\n\x1b[J\x1b[?7h',
    '\x1b[?7l\x1b[Hthree\x1b[K\n\x1b[J\x1b[?7h',
  ]);
});

it('cuts a text that is longer than the terminal, which would scroll', () => {
  const [drawn = ''] = written({ isTTY: true, rows: 4 }, ['1\n2\n3\n4']);
  expect(drawn).toBe('\x1b[2J\x1b[?7l\x1b[H1\x1b[K\n2\x1b[K\n…\x1b[K\n\x1b[J\x1b[?7h');
});

it('writes one below the other elsewhere', () => {
  expect(written({}, ['one', 'two'])).toEqual(['one\n\n', 'two\n\n']);
});
