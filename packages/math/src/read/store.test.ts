import { mkdir, readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { booksText, bookTexts, tableText, temporaryFolder, writeRawMath, zstd } from '../../test/support/folders.ts';
import type { MathPackage } from '../types.ts';
import { openMath, openStoredMath } from './openMath.ts';

async function opened(folder: string, storeFolder: string): Promise<MathPackage> {
  const outcome = await openMath({ folder, storeFolder });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
  return outcome.value;
}

/** Opens and closes; tells whether the store already had it. */
async function reopens(folder: string, storeFolder: string): Promise<boolean> {
  const math = await opened(folder, storeFolder);
  await math.close();
  return math.reopened;
}

function firstEvents(math: MathPackage): string | undefined {
  return math.modes.get('BASE')?.readEvents(0).toString();
}

describe('the store', () => {
  it('has one folder for a package, named by its hash, and reopens it', async () => {
    const [folder, storeFolder] = [await writeRawMath(), await temporaryFolder()];
    const first = await opened(folder, storeFolder);
    expect((await readdir(storeFolder)).sort()).toEqual(['.sources', first.sha256]);
    await first.close();
    const second = await opened(folder, storeFolder);
    expect(second).toMatchObject({ reopened: true, sha256: first.sha256 });
    expect(firstEvents(second)).toBe('[{"type": "reveal"}]');
    await second.close();
  });

  it('reopens a copy of the files from another folder', async () => {
    const storeFolder = await temporaryFolder();
    expect(await reopens(await writeRawMath(), storeFolder)).toBe(false);
    expect(await reopens(await writeRawMath(), storeFolder)).toBe(true);
  });

  it('sees a changed file even when size and modification time are the same', async () => {
    const [folder, storeFolder] = [await writeRawMath(), await temporaryFolder()];
    const before = await opened(folder, storeFolder);
    await before.close();
    const table = join(folder, 'table.csv');
    const { atime, mtime } = await stat(table);
    await writeFile(table, tableText.replace('1,2,150', '1,9,150'));
    await utimes(table, atime, mtime);
    const after = await opened(folder, storeFolder);
    expect(after.reopened).toBe(false);
    expect(after.sha256).not.toBe(before.sha256);
    expect(after.modes.get('BASE')?.totalWeight).toBe(11n);
    await after.close();
  });

  it('refuses a folder whose files have become wrong, and still opens the old version by its hash', async () => {
    const [folder, storeFolder] = [await writeRawMath(), await temporaryFolder()];
    const { sha256, close } = await opened(folder, storeFolder);
    await close();
    await writeFile(join(folder, 'books.jsonl.zst'), zstd(`${bookTexts[0]}\n`));
    expect(await openMath({ folder, storeFolder })).toMatchObject({ ok: false });
    await rm(folder, { recursive: true });
    const old = await openStoredMath({ storeFolder, sha256 });
    expect(old).toMatchObject({ ok: true, value: { sha256, reopened: true } });
    if (old.ok) await old.value.close();
  });

  it.each(['', 'x', '../store', 'a'.repeat(64), 'A'.repeat(64)])('has no package %j', async (sha256) => {
    const outcome = await openStoredMath({ storeFolder: await temporaryFolder(), sha256 });
    expect(outcome).toMatchObject({ ok: false, issueCount: 1 });
  });

  it.each([
    ['0.rows', (path: string) => truncate(path, 10)],
    ['0.rows', (path: string) => writeFile(path, Buffer.alloc(120))],
    ['0.rows', (path: string) => rm(path)],
    ['0.events', (path: string) => truncate(path, 10)],
    ['0.events', (path: string) => rm(path)],
    ['manifest.json', (path: string) => truncate(path, 10)],
    ['manifest.json', (path: string) => writeFile(path, '{"format":"of another time"}')],
    ['manifest.json', (path: string) => rm(path)],
  ])('does not believe a store with a damaged %s, and replaces it', async (name, damage) => {
    const [folder, storeFolder] = [await writeRawMath(), await temporaryFolder()];
    const { sha256, close } = await opened(folder, storeFolder);
    await close();
    await damage(join(storeFolder, sha256, name));
    expect(await openStoredMath({ storeFolder, sha256 })).toMatchObject({ ok: false });
    const again = await opened(folder, storeFolder);
    expect(again).toMatchObject({ reopened: false, sha256 });
    expect(firstEvents(again)).toBe('[{"type": "reveal"}]');
    await again.close();
    expect((await readdir(storeFolder)).sort()).toEqual(['.sources', sha256]);
  });

  it('sweeps what dead loaders left behind, and leaves living ones alone', async () => {
    const storeFolder = await temporaryFolder();
    const leave = async (...parts: (string | number)[]): Promise<string> => {
      const name = ['.loading', ...parts, 'abc'].join('~');
      await mkdir(join(storeFolder, name));
      await writeFile(join(storeFolder, name, '0.events'), booksText);
      return name;
    };
    const noProcess = 2 ** 22 + 1;
    await leave(hostname(), noProcess, Date.now());
    await leave(hostname(), process.pid, 1000);
    const silent = await leave('another-host', 1, Date.now());
    const long = new Date(Date.now() - 3_600_000);
    await utimes(join(storeFolder, silent, '0.events'), long, long);
    await utimes(join(storeFolder, silent), long, long);
    const living = [await leave(hostname(), process.ppid, 1000), await leave('another-host', 2, 1000)];
    const { sha256, close } = await opened(await writeRawMath(), storeFolder);
    await close();
    expect((await readdir(storeFolder)).sort()).toEqual([...living, '.sources', sha256].sort());
  });

  it('is the same for all who load at once', async () => {
    const [folder, storeFolder] = [await writeRawMath(), await temporaryFolder()];
    const all = await Promise.all(Array.from({ length: 8 }, () => opened(folder, storeFolder)));
    expect(new Set(all.map((math) => math.sha256)).size).toBe(1);
    for (const math of all) expect(firstEvents(math)).toBe('[{"type": "reveal"}]');
    await Promise.all(all.map((math) => math.close()));
    expect(await readdir(storeFolder)).toHaveLength(2);
  });
});
