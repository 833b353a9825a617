import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { useBooks } from '../cli/commands/books.ts';
import { ROOT, textOf } from './documents.ts';

const FOLDER = path.join(ROOT, 'apps/server/src/staff/status');
const SOURCE = readdirSync(FOLDER)
  .filter((name) => /^judge\w*[.]ts$/.test(name))
  .map((name) => readFileSync(path.join(FOLDER, name), 'utf8'))
  .join('\n');

const books = useBooks();

it('operations.md has each finding of `roundhouse status`, and no other', () => {
  const [section = ''] = /^## Status\n[\s\S]*?^## /m.exec(textOf('docs/operations.md')) ?? [];
  const [table = ''] = /^\| finding [\s\S]*?^$/m.exec(section) ?? [];
  const rows = table.split('\n').slice(2);
  const described = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, id]) => id));
  const found = [...SOURCE.matchAll(/\bid: '([a-z-]+)'/g)].map(([, id]) => id);
  expect(found.length).toBeGreaterThan(20);
  expect([...new Set(described)].sort()).toEqual([...new Set(found)].sort());
});

/** These change something, send requests to an operator, or need the fleet file of `status`. */
const NOT_RUN = /^(migrate|reconcile|cell) ?/;

it('each command that a finding names runs as it is written', async () => {
  await books.seamlessOperator('acme', 'http://127.0.0.1:9');
  const named = [...SOURCE.matchAll(/['`]roundhouse ([^'`]+)['`]/g)].map(([, words = '']) => words);
  const commands = [...new Set(named)].filter((words) => !NOT_RUN.test(words));
  expect(commands.length).toBeGreaterThanOrEqual(7);
  for (const command of commands) {
    const filled = command.replace(/\$\{operator\}/, 'acme').replace(/\$\{game\}/, 'a-game');
    const words = [...filled.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
    const { code, stderr } = await books.run(...words);
    expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' });
  }
});
