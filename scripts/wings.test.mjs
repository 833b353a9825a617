import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from './bootstrap.mjs';
import { WINGS } from './wings.cjs';

const NAMES = Object.keys(WINGS);
/** These folders of tests belong to no wing. */
const BESIDE = ['docs', 'proofs', 'support'];

function foldersOf(place) {
  const entries = readdirSync(path.join(root, place), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

it('each folder of the server is a wing with a line, and each line has its folder', () => {
  expect(foldersOf('apps/server/src').sort()).toEqual(NAMES.toSorted());
  expect(foldersOf('apps/server/test').filter((name) => !NAMES.includes(name) && !BESIDE.includes(name))).toEqual([]);
});

it('a wing imports only wings below it', () => {
  for (const [place, wing] of NAMES.entries())
    expect(NAMES.slice(place + 1)).toEqual(expect.arrayContaining(WINGS[wing]));
});

it('no package or app has the name of a wing, so a word of `npm test` means one thing', () => {
  const others = ['packages', 'apps'].flatMap(foldersOf);
  expect(others.filter((name) => NAMES.includes(name))).toEqual([]);
});

it('each wing has a README, which ends with what it may import', () => {
  for (const [wing, mayImport] of Object.entries(WINGS)) {
    const names = mayImport.map((name) => `\`${name}\``).join(', ') || 'no other wing';
    const text = readFileSync(path.join(root, 'apps/server/src', wing, 'README.md'), 'utf8');
    expect(text.split('\n').at(-2)).toBe(`May import: ${names}.`);
  }
});

const QUERY = queryPattern();

/** A model of Prisma, a statement of Prisma, or a statement of the driver. */
function queryPattern() {
  const schema = readFileSync(path.join(root, 'apps/server/prisma/schema.prisma'), 'utf8');
  const models = [...schema.matchAll(/^model (\w)(\w+)/gm)].map(([, first, rest]) => first.toLowerCase() + rest);
  const methods = 'find|create|update|delete|upsert|count|aggregate|groupBy';
  const statement = '[$](query|execute)Raw(Unsafe)?|query(?=[<(])';
  return new RegExp(`[.]((${models.join('|')})\\s*[.](${methods})\\w*[(]|${statement})`);
}

it.each([
  ['db.consoleUser.findUnique({ where })', true],
  ['tx.walletTransaction\n    .updateMany({})', true],
  ['await db.$queryRaw<Row[]>`SELECT 1`', true],
  ["pool.query<Row>('SELECT 1')", true],
  ["db: Pick<Database, '$queryRaw' | 'consoleUser'>", false],
  ['hash.update(text)', false],
  ['const { query } = req.query', false],
])('%j is a query: %s', (code, isQuery) => {
  expect(QUERY.test(code)).toBe(isQuery);
});

// The rule of imports forbids Prisma and the driver by name; an open database has both.
it('only ledger and store query the database', () => {
  const others = NAMES.filter((wing) => !['ledger', 'store'].includes(wing));
  const querying = others
    .flatMap((wing) => filesOf(`apps/server/src/${wing}`))
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && QUERY.test(readFileSync(path.join(root, file), 'utf8')));
  expect(querying).toEqual([]);
});

function filesOf(place) {
  return readdirSync(path.join(root, place), { recursive: true }).map((name) => path.join(place, name));
}
