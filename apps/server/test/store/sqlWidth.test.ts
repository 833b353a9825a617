import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const WIDEST = 120;
const WIDEST_COMMENT = 100;

/** The rooms whose template strings are SQL. */
const SQL_ROOMS = [
  'apps/server/src/ledger',
  'apps/server/src/store',
  'apps/operator/src/engine',
  'apps/operator/src/ledger',
];

it('no line of an SQL file is wider than a screen', () => {
  const files = ['apps/server', 'apps/operator'].flatMap((app) => filesBelow(`${app}/prisma`, '.sql'));
  expect(files.length).toBeGreaterThan(90);
  const wide = files.flatMap((file) =>
    linesOf(file).filter(({ line }) => line.length > (/^\s*--/.test(line) ? WIDEST_COMMENT : WIDEST)),
  );
  expect(wide.map(({ place }) => place)).toEqual([]);
});

it('no line of SQL in a template string is wider than a screen', () => {
  const files = SQL_ROOMS.flatMap((room) => filesBelow(room, '.ts')).filter((file) => !file.includes('/generated/'));
  const lines = files.flatMap(templateLinesOf);
  expect(lines.length).toBeGreaterThan(1_000);
  expect(lines.filter(({ line }) => line.length > WIDEST).map(({ place }) => place)).toEqual([]);
});

type Line = { place: string; line: string };

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => `${folder}/${file}`)
    .sort();
}

function linesOf(file: string): Line[] {
  const lines = readFileSync(path.join(ROOT, file), 'utf8').split('\n');
  return lines.map((line, index) => ({ place: `${file}:${index + 1}`, line }));
}

/**
 * Returns the lines that lie in a template string of several lines, and those with a string of SQL.
 */
function templateLinesOf(file: string): Line[] {
  let isInside = false;
  const found = linesOf(file).filter(({ line }) => {
    const wasInside = isInside;
    const isComment = !isInside && /^\s*(\/\/|\/?\*)/.test(line);
    const marks = isComment ? 0 : [...line.matchAll(/\\.|`/g)].filter(([mark]) => mark === '`').length;
    if (marks % 2 === 1) isInside = !isInside;
    return wasInside || isInside || /(\$queryRaw|\$executeRaw|Prisma\.sql)[^`]*`/.test(line);
  });
  // An odd number of marks would make the rest of the file look like SQL.
  expect({ file, isInside }).toEqual({ file, isInside: false });
  return found;
}
