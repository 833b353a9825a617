import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type RefusalName, refused } from '../../src/wallet/outcome.ts';

const FUNCTIONS = new URL('../../prisma/functions/', import.meta.url);

it('the tables of the functions name their refusals, each with the code of the wallet', () => {
  const tables = readdirSync(FUNCTIONS).map((file) => {
    const sql = readFileSync(new URL(file, FUNCTIONS), 'utf8');
    const named = [...sql.matchAll(/^-- ([a-z_]+) *\|[^|]*\| (ERR_\w+)$/gm)].map(([, name = '', code]) => ({
      name,
      code,
    }));
    const body = sql.replace(/--.*$/gm, '');
    const returned = [...body.matchAll(/(?:THEN|refusal :=) '([a-z_]+)'/g)].map(([, name = '']) => name);
    return { file, named, returned: returned.filter((name) => !STATES.has(name)) };
  });
  expect(tables.flatMap(({ named }) => named).length).toBeGreaterThan(20);
  for (const { file, named, returned } of tables) {
    const names = named.map(({ name }) => name);
    expect({ file, names: [...names].sort() }).toEqual({ file, names: [...new Set(returned)].sort() });
    const codes = names.map((name) => ({ name, code: refused(name as RefusalName).code }));
    expect({ file, named }).toEqual({ file, named: codes });
  }
});

/** A CASE returns these states of a bet, which are not refusals. */
const STATES: ReadonlySet<string> = new Set(['closed']);
