import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { type FairDocument, type FairRound, type FairTable, verify } from '../../src/index.ts';
import { makeDocument, makeTable, proofOf } from '../support/makeDocument.ts';

const run = promisify(execFile);
const script = path.join(import.meta.dirname, '../../../../docs/fairness/verify.py');
const folder = mkdtempSync(path.join(os.tmpdir(), 'roundhouse-fair-python-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tables = [makeTable(997, 'BASE', 3), makeTable(64, 'BONUS', 5)];
const genuine = makeDocument({
  serverSeed: Buffer.alloc(32, 77),
  clientSeeds: [
    { from: 0, clientSeed: 'é: 😀' },
    { from: 200, clientSeed: 'second' },
  ],
  tables,
  plays: Array.from({ length: 400 }, (_, nonce) => ({
    table: nonce % 4 === 3 ? 1 : 0,
    amount: 1_000_000,
    isVoid: nonce % 50 === 7,
  })),
});

/** Python has to be there: `npm test` installs it, or names what is missing. */
async function python(document: unknown): Promise<{ code: number; stdout: string }> {
  const file = path.join(folder, 'export.json');
  writeFileSync(file, JSON.stringify(document));
  const ended = await run('python3', [script, file]).catch((error) => error);
  expect(ended.code, `python3 did not run: ${ended.message}`).not.toBe('ENOENT');
  return { code: ended.code ?? 0, stdout: ended.stdout };
}

it('has at most 60 lines, and imports the standard library only', () => {
  const text = readFileSync(script, 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  const imports = [...text.matchAll(/^\s*(?:import|from) (.*)$/gm)].flatMap(([, names = '']) => names.split(', '));
  expect(imports).toEqual(['bisect', 'hashlib', 'hmac', 'json', 'sys']);
});

it('verifies an export, and the proofs of its rounds', async () => {
  expect(await python(genuine)).toEqual({ code: 0, stdout: '400 rounds, 8 void, 0 problems\n' });
  for (const nonce of [0, 3, 7, 250]) {
    const proof = proofOf(genuine, tables, nonce);
    expect(verify(proof).ok).toBe(true);
    expect(await python(proof)).toMatchObject({ code: 0, stdout: expect.stringContaining('1 rounds, ') });
  }
});

const first = ({ tables: [table] }: FairDocument): FairTable => table as FairTable;
const TAMPERINGS: Record<string, [(document: FairDocument) => unknown, RegExp]> = {
  'server seed': [
    (document) => Object.assign(document, { serverSeed: '0'.repeat(64) }),
    /server seed has another hash/,
  ],
  'client seed': [(document) => Object.assign(document.clientSeeds[1] ?? {}, { clientSeed: 'x' }), /nonce 200: /],
  nonce: [(document) => Object.assign(document.rounds[50] as FairRound, { nonce: 51 }), /nonces have gaps or repeat/],
  'missing round': [(document) => document.rounds.splice(50, 1), /nonces have gaps or repeat/],
  'missing end': [(document) => document.rounds.pop(), /nonces have gaps or repeat/],
  order: [(document) => document.rounds.push(document.rounds.shift() as FairRound), /out of order/],
  'id of a row': [(document) => first(document).drawn[3]?.splice(1, 1, 99_999), /table BASE: another root/],
  'weight of a row': [(document) => first(document).drawn[3]?.splice(2, 1, '1'), /table BASE: the weights add up to/],
  'payout of a row': [(document) => first(document).drawn[3]?.splice(3, 1, '7'), /table BASE: another root/],
  'hash of a book': [(document) => first(document).drawn[3]?.splice(4, 1, '0'.repeat(64)), /table BASE: another root/],
  'hash of a sibling': [(document) => first(document).siblings[3]?.splice(1, 1, '0'.repeat(64)), /another root/],
  'too many siblings': [(document) => first(document).siblings.push(['1', '0'.repeat(64)]), /siblings are left over/],
  'book of a round': [
    (document) => Object.assign(document.rounds[50] as FairRound, { bookID: 1 }),
    /nonce 50: another row/,
  ],
  payout: [(document) => Object.assign(document.rounds[50] as FairRound, { payout: 1 }), /nonce 50: another payout/],
  'row left out': [
    (document) => Object.assign(document, { tables: [first(proofOf(genuine, tables, 0)), document.tables[1]] }),
    /: its row is not proven/,
  ],
};

describe('finds a changed', () => {
  it.each(Object.entries(TAMPERINGS))('%s', async (_, [tamper, message]) => {
    const document = structuredClone(genuine);
    tamper(document);
    expect(verify(document).ok).toBe(false);
    expect(await python(document)).toEqual({ code: 1, stdout: expect.stringMatching(message) });
  });

  it('book of a proof', async () => {
    const { code, stdout } = await python({ ...proofOf(genuine, tables, 0), book: '[]' });
    expect([code, stdout]).toEqual([1, expect.stringContaining('nonce 0: another book')]);
  });
});
