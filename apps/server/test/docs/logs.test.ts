import { expect, it } from 'vitest';
import { textOf } from './documents.ts';
import { logMessages } from './logMessages.ts';

/** An item of a list: message, level, meaning → what to do. It ends where the next one begins. */
const ITEM =
  /^- `(?<message>[^`]+)` \((?<level>warn|error|fatal)\): (?<meaning>[^→]+?)\s→\s(?<action>[\s\S]+?)(?=\n- |\n\n|\n$)/gm;

it('docs/logs.md has each message of level warn and above once, and no other', () => {
  const items = [...textOf('docs/logs.md').matchAll(ITEM)].map(({ groups = {} }) => groups);
  const documented = items.map(({ message, level }) => `${level} ${message}`);
  const written = new Set(logMessages().map(({ message, level }) => `${level} ${message.replaceAll('`', '')}`));
  expect(documented.sort()).toEqual([...written].sort());
  for (const { meaning, action } of items) expect(`${meaning}${action}`.length).toBeGreaterThan(40);
});

it('the scanner finds a message in each form', () => {
  const found = logMessages().map(({ message }) => message);
  expect(found).toContain('request failed');
  expect(found).toContain('the wallet of an operator fails');
  expect(found).toContain('a session cannot be played');
  expect(found).toContain('… open rounds are on version … of game …, whose books are not on this node');
});
