import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommand } from '../src/cli.ts';
import { makeDocument, makeTable } from './support/makeDocument.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'roundhouse-fair-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const genuine = makeDocument({
  serverSeed: Buffer.alloc(32, 3),
  clientSeeds: [{ from: 0, clientSeed: 'one' }],
  tables: [makeTable(300)],
  plays: Array.from({ length: 1500 }, (_, nonce) => ({ table: 0, amount: 100, isVoid: nonce === 2 })),
});
const { serverSeedHash, tables } = genuine;
const root = tables[0]?.root as string;

async function run(args: string[], { isTTY = false } = {}) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCommand(args, {
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => err.push(text), isTTY },
  });
  return { code, out: out.join(''), err: err.join('') };
}

function written(document: unknown): string {
  const file = path.join(folder, 'export.json');
  writeFileSync(file, typeof document === 'string' ? document : JSON.stringify(document));
  return file;
}

describe('verify', () => {
  it('exits 0 when everything matches', async () => {
    const expected = ['--server-seed-hash', serverSeedHash.toUpperCase(), '--root', root];
    expect(await run(['verify', written(genuine), ...expected])).toEqual({
      code: 0,
      out: 'Match: 1500 rounds, 1 of them void.\n',
      err: '',
    });
  });

  it('says when the server seed is not revealed', async () => {
    const { code, out } = await run(['verify', written({ ...genuine, serverSeed: null })]);
    expect(code).toBe(0);
    expect(out).toMatch(/^Match as far as can be checked: .* not revealed yet\.\n$/);
  });

  it('exits 1 and prints each problem with its place', async () => {
    const rounds = genuine.rounds.toSpliced(7, 1);
    expect(await run(['verify', written({ ...genuine, rounds })])).toEqual({
      code: 1,
      out: 'missing: nonce 7: no round has this\nMISMATCH: 1 problem in 1499 rounds, 1 of them void.\n',
      err: '',
    });
  });

  it('compares with what the player has noted', async () => {
    const { code, out } = await run(['verify', written(genuine), '--root', '0'.repeat(64)]);
    expect([code, out]).toEqual([1, expect.stringMatching(/^table: table 0: not a table expected\n/)]);
  });

  it('prints the report as JSON', async () => {
    const { out } = await run(['verify', written(genuine), '--json']);
    expect(JSON.parse(out)).toMatchObject({ ok: true, rounds: 1500, issues: [] });
  });

  it('shows its progress on a terminal', async () => {
    const { err } = await run(['verify', written(genuine)], { isTTY: true });
    expect(err).toContain('0 of 1500 rounds');
    expect(err.endsWith('\r\u001b[K')).toBe(true);
  });

  it('prints no control characters of a document', async () => {
    const document = structuredClone(genuine);
    Object.assign(document.tables[0] ?? {}, { game: 'evil\u001b[2J\u202e' });
    const { code, out } = await run(['verify', written(document)]);
    expect(code).toBe(1);
    expect(out.replaceAll('\n', '')).not.toMatch(/\p{Control}|\p{Format}/u);
  });
});

it.each([
  ['no command', []],
  ['another command', ['check', 'x']],
  ['no file', ['verify']],
  ['two files', ['verify', 'a', 'b']],
  ['an unknown option', ['verify', 'a', '--fast']],
])('%s prints the help and exits 2', async (_, args) => {
  const { code, out, err } = await run(args);
  expect([code, out, err]).toEqual([2, '', expect.stringContaining('Usage: roundhouse-fair verify <file>')]);
});

it.each([
  ['that is not there', () => path.join(folder, 'nothing.json'), /cannot be read: ENOENT/],
  ['that is no JSON', () => written('{'), /cannot be read: /],
])('a file %s exits 2', async (_, file, message) => {
  expect(await run(['verify', file()])).toEqual({ code: 2, out: '', err: expect.stringMatching(message) });
});

it('JSON that is not a document exits 2 and says why', async () => {
  const { code, out } = await run(['verify', written({ format: 'roundhouse-fair-2' })]);
  expect([code, out]).toEqual([2, expect.stringContaining('format: format is not what the format allows\n')]);
});

it('--help exits 0', async () => expect(await run(['--help'])).toMatchObject({ code: 0, err: '' }));
