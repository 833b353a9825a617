import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rules } from '../src/engine/rules.ts';

it('docs/dialects/engine.md has each rule beside the part of the contract that it proves', () => {
  const text = readFileSync(new URL('../../../docs/dialects/engine.md', import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| §'));
  const named = rows.flatMap((row) => [...row.matchAll(/`([a-z]+\.[a-z-]+)`/g)].map(([, id]) => id));
  expect([...new Set(named)].sort()).toEqual(rules.map(({ id }) => id).sort());
});
