import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './bootstrap.mjs';

const DIALECTS = 'packages/dialects';
const AGGREGATORS = 'packages/aggregators';
/** The server's own protocol has no settings, no owner and no simulator. */
const OWN = 'roundhouse';

const names = foldersOf(DIALECTS).filter((name) => name !== OWN);

function foldersOf(place) {
  const entries = readdirSync(path.join(root, place, 'src'), { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

function filesOf(place, name) {
  return readdirSync(path.join(root, place, 'src', name)).sort();
}

/** The rows below a head of a table that begins so, each with its cells. */
function tableOf(place, head) {
  const lines = readFileSync(path.join(root, place, 'README.md'), 'utf8').split('\n');
  const first = lines.findIndex((line) => line.replace(/ +/g, ' ').startsWith(head));
  const rows = lines.slice(first + 2);
  return rows.slice(0, rows.indexOf('')).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const HEAD = '| file | what it has, in this order |';

describe.each(names)('the dialect %s', (name) => {
  it('has the files of the table in packages/dialects/README.md', () => {
    const files = tableOf(DIALECTS, HEAD).flatMap(([cell, , dialects, test]) => {
      const file = cell.replaceAll('`', '');
      if (dialects !== 'all' && !dialects.split(' ').includes(name)) return [];
      return test === 'yes' ? [file, file.replace('.ts', '.test.ts')] : [file];
    });
    expect(filesOf(DIALECTS, name)).toEqual(files.sort());
  });

  it('has a simulator with the files of the table in packages/aggregators/README.md', () => {
    const files = tableOf(AGGREGATORS, HEAD).map(([cell]) => cell.replaceAll('`', ''));
    expect(filesOf(AGGREGATORS, name)).toEqual(files.sort());
  });

  it.each([`docs/dialects/${name}.md`, `apps/server/test/operators/dialectApi/${name}.test.ts`])('has %s', (file) => {
    expect(existsSync(path.join(root, file))).toBe(true);
  });
});

it("the server's own protocol has the traits and the way to the wallet", () => {
  expect(filesOf(DIALECTS, OWN)).toEqual(['dialect.ts', 'send.ts']);
});

it('each simulator is of a dialect', () => {
  expect(foldersOf(AGGREGATORS).filter((name) => name !== 'kit')).toEqual(names);
});
