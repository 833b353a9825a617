import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { refusalResponse } from '../../src/base/http/responses.ts';
import { refused } from '../../src/base/refusal.ts';
import { prismaFolder } from '../../src/store/database/migrate.ts';

/** A row of the table at the head of a function or view: outcome, when, what becomes of it. */
type Row = { outcome: string; next: string };

const TABLES = ['functions', 'views'].flatMap((folder) =>
  readdirSync(path.join(prismaFolder(), folder))
    .map((file) => {
      const sql = readFileSync(path.join(prismaFolder(), folder, file), 'utf8');
      return { file, rows: rowsOf(sql), body: sql.replace(/--.*$/gm, '') };
    })
    .filter(({ rows }) => rows.length > 0),
);

it('finds the tables', () => {
  const files = TABLES.map(({ file }) => file);
  expect(files).toEqual(expect.arrayContaining(['judge_bets.sql', 'open_rounds.sql', 'session_refusals.sql']));
});

describe.each(TABLES)('the table of $file', ({ rows, body }) => {
  it('names outcomes that the text returns', () => {
    const named = rows.map(({ outcome }) => outcome);
    expect(named.filter((outcome) => !body.includes(RETURNED_BY[outcome] ?? `'${outcome}'`))).toEqual([]);
  });

  it('names each refusal that the text returns', () => {
    const named = new Set(rows.map(({ outcome }) => outcome));
    const returned = [...body.matchAll(/(?:THEN|ELSE|RETURN|coalesce\([\w.]+,) '([a-z_]+)'/g)].map(
      ([, name = '']) => name,
    );
    expect(returned.filter((name) => isRefusal(name) && !named.has(name))).toEqual([]);
  });

  it('has the code that the server says', () => {
    const codes = rows.filter(({ outcome, next }) => isRefusal(outcome) && /^ERR_[A-Z]+$/.test(next));
    const said = codes.map(({ outcome }) => ({ outcome, next: refusalResponse(refused(outcome)).body.error }));
    expect(codes).toEqual(said);
  });
});

/** A function that the text calls, or the text itself, returns these outcomes. */
const RETURNED_BY: Readonly<Record<string, string>> = {
  free_round: 'judge_bets',
  opened_before: 'opened_before',
  wallet_uncertain: 'opened_before',
  replayed: 'judge_bets',
};

function rowsOf(sql: string): Row[] {
  if (!/^-- \w+ +\| when +\| what becomes of it$/m.test(sql)) return [];
  const rows = [...sql.matchAll(/^-- ([a-z_]+) *\|[^|]*\| (.*)$/gm)];
  return rows.map(([, outcome = '', next = '']) => ({ outcome, next })).slice(1);
}

function isRefusal(outcome: string): boolean {
  try {
    refused(outcome);
    return true;
  } catch {
    return false;
  }
}
