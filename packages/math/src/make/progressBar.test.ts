import { expect, it } from 'vitest';
import { progressBar } from './progressBar.ts';

function drawn(isTTY: boolean): string[] {
  const written: string[] = [];
  const show = progressBar('BASE', { isTTY, write: (text) => written.push(text) });
  for (const played of [50, 200]) show({ played, rounds: 200 });
  return written;
}

it('draws the share of the rounds on a terminal, and clears the line at the end', () => {
  expect(drawn(true)).toEqual([`\rBASE ${'█'.repeat(7)}${'░'.repeat(23)} 25 %`, '\r\u001b[K']);
});

it('writes nothing where there is no terminal', () => {
  expect(drawn(false)).toEqual([]);
});
