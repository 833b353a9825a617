import { expect, it } from 'vitest';
import { judge } from './judge.ts';
import type { Facts } from './readFacts.ts';
import { statusText } from './statusText.ts';

const AT = new Date('2026-11-27T12:00:00Z');
const away = (url: string) => ({
  ...{ url, isReady: null, reason: null, issue: 'ECONNREFUSED', metrics: null, metricsIssue: 'ECONNREFUSED' },
});
const MANY: Facts = {
  at: AT,
  database: { issue: 'The database cannot be reached (ECONNREFUSED). Is its address right, and is it running?' },
  nodes: [1, 2, 3, 4, 5, 6, 7].map((number) => away(`http://node-${number}:4000`)),
};

function textOf(facts: Facts, options: Partial<Parameters<typeof statusText>[1]> = {}): string[] {
  return statusText({ facts, judgement: judge(facts) }, { place: 'postgresql://db/x', ...options }).split('\n');
}

it('breaks lines between words, but not the commands', () => {
  const columns = 60;
  const lines = textOf(MANY, { columns });
  expect(lines.filter((line) => line.length > columns && !line.includes('→'))).toEqual([]);
  expect(lines.join('\n')).toContain(
    'unknown   The database cannot be reached (ECONNREFUSED). Is\n          its address right, and is it running?\n',
  );
  const words = (all: string[]) => all.join(' ').split(/\s+/).join(' ');
  expect(words(lines)).toBe(words(textOf(MANY)));
  expect(textOf(MANY, { columns: 1 }).length).toBeGreaterThan(lines.length);
});

it('marks each verdict, and nothing else', () => {
  const lines = textOf(MANY, { paint: (verdict, text) => `<${verdict}>${text}</>` });
  const plainLines = textOf(MANY);
  expect(lines.map((line) => line.replace(/<[a-z]*>|<\/>/g, ''))).toEqual(plainLines);
  expect(lines[0]).toBe(`Is money safe?       <unknown>unknown</>   ${(MANY.database as { issue: string }).issue}`);
  expect(lines.filter((line) => line.includes('<')).length).toBe(3 + 8);
});

it('shows a few lines of each section, and how many there are', () => {
  expect(textOf(MANY)).toContain('             … and 3 more: --json has all');
});
