import { expect, it } from 'vitest';
import { textOf } from './documents.ts';
import { logMessages } from './logMessages.ts';

const ROW = /^\| `(?<message>[^`]+)` +\| (?<level>warn|error|fatal) +\| (?<meaning>[^|]+)\| (?<action>[^|]+)\|$/gm;

it('docs/logs.md has each message of level warn and above once, and no other', () => {
  const rows = [...textOf('docs/logs.md').matchAll(ROW)].map(({ groups = {} }) => groups);
  const documented = rows.map(({ message, level }) => `${level} ${message}`);
  const written = new Set(logMessages().map(({ message, level }) => `${level} ${message.replaceAll('`', '')}`));
  expect(documented.sort()).toEqual([...written].sort());
  for (const { meaning, action } of rows) expect(`${meaning}${action}`.length).toBeGreaterThan(40);
});

it('the scanner finds a message in each form', () => {
  const found = logMessages().map(({ message }) => message);
  expect(found).toContain('request failed');
  expect(found).toContain('the wallet of an operator fails');
  expect(found).toContain('a session cannot be played');
  expect(found).toContain('… open rounds are on version … of game …, whose books are not on this node');
});
