import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const execute = promisify(execFile);
const contractFolder = path.join(import.meta.dirname, '..');
const compiler = path.join(contractFolder, 'node_modules/typescript/bin/tsc');

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-contract-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the light half', () => {
  it('has declarations that need no other package', async () => {
    const declarations = path.join(folder, 'declarations');
    const options = ['-p', 'tsconfig.build.json', '--emitDeclarationOnly', '--outDir', declarations];
    await execute(process.execPath, [compiler, ...options], { cwd: contractFolder });

    const fromLight = await importsBelow(path.join(declarations, 'light.d.ts'));
    expect(fromLight.files).toContain(path.join(declarations, 'types.d.ts'));
    expect(fromLight.packages).toEqual([]);
    // The same walk finds what there is to find.
    const fromIndex = await importsBelow(path.join(declarations, 'index.d.ts'));
    expect(fromIndex.packages).toContain('zod');
  });
});

describe('a plain type that differs from its schema does not compile', () => {
  const typesFile = () => path.join(folder, 'src/types.ts');
  let types = '';

  beforeAll(async () => {
    const isSource = (file: string) => !file.endsWith('.test.ts');
    await cp(path.join(contractFolder, 'src'), path.join(folder, 'src'), { recursive: true, filter: isSource });
    await cp(path.join(contractFolder, 'package.json'), path.join(folder, 'package.json'));
    await symlink(path.join(contractFolder, 'node_modules'), path.join(folder, 'node_modules'));
    const config = {
      extends: path.join(contractFolder, 'tsconfig.json'),
      compilerOptions: { types: [] },
      include: ['src'],
    };
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    types = await readFile(typesFile(), 'utf8');
  });

  it('and as they are they do', () => compile(folder), 60_000);

  it.each([
    { what: 'a field less', from: 'gameID: string;', to: '', names: ['BetConfig'] },
    { what: 'a field more', from: 'gameID: string;', to: 'gameID: string; extra: boolean;', names: ['BetConfig'] },
    { what: 'an optional field', from: 'displayRTP: boolean', to: 'displayRTP?: boolean', names: ['Jurisdiction'] },
    { what: 'a narrower field', from: 'event: string | null', to: 'event: string', names: ['Round', 'PlayResponse'] },
    { what: 'a wider field', from: 'meta: null', to: 'meta: unknown', names: ['AuthenticateResponse'] },
    { what: 'a field of any type', from: 'state: unknown[]', to: 'state: any[]', names: ['Round', 'ReplayResponse'] },
  ])(
    '$what',
    async ({ from, to, names }) => {
      expect(types).toContain(from);
      await writeFile(typesFile(), types.replaceAll(from, to));
      const refusal = await compile(folder).then(
        () => 'it compiled',
        (error: { stdout: string }) => error.stdout,
      );
      expect(refusal).toMatch(/^src\/schemas\.ts.*Drifted/);
      for (const name of names) expect(refusal).toMatch(new RegExp(`\\b${name}\\b`));
    },
    60_000,
  );
});

/** @throws with the complaints as `stdout` */
async function compile(projectFolder: string): Promise<void> {
  await execute(process.execPath, [compiler, '-p', 'tsconfig.json'], { cwd: projectFolder });
}

/** All declaration files that one imports, directly or not, and the packages that they name. */
async function importsBelow(entry: string): Promise<{ files: string[]; packages: string[] }> {
  const files = new Set<string>();
  const packages = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const specifier of specifiersIn(await readFile(file, 'utf8'))) {
      if (specifier.startsWith('.')) waiting.push(path.resolve(file, '..', specifier.replace(/\.ts$/, '.d.ts')));
      else packages.add(specifier);
    }
  }
  return { files: [...files], packages: [...packages].sort() };
}

function specifiersIn(text: string): string[] {
  const matches = text.matchAll(/(?:\bfrom|\bimport|\bimport\(|\btypes=|\brequire\()\s*["']([^"']+)["']/g);
  return [...matches].map((match) => match[1] ?? '');
}
