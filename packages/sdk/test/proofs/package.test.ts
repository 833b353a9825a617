import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import vm from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const execute = promisify(execFile);
const sdkFolder = path.join(import.meta.dirname, '../..');
const tool = (file: string) => path.join(sdkFolder, 'node_modules', file);
const isWindows = process.platform === 'win32';

let folder = '';
/** This project outside of the workspace has only the packed SDK installed. */
let project = '';
let installed = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-sdk-'));
  const tarball = await pack(path.join(folder, 'staging'));
  project = path.join(folder, 'project');
  installed = path.join(project, 'node_modules/@roundhouse/sdk');
  await mkdir(installed, { recursive: true });
  await execute('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  await writeFile(
    path.join(project, 'package.json'),
    JSON.stringify({ name: 'new-game', private: true, type: 'module' }),
  );
  await mkdir(path.join(project, 'src'));
  const documents = ['README.md', '../../docs/front-end.md'].map((name) => path.join(sdkFolder, name));
  const texts = await Promise.all(documents.map((file) => readFile(file, 'utf8')));
  const samples = texts.flatMap((text) => codeBlocks(text, 'ts'));
  expect(samples.length).toBeGreaterThanOrEqual(4);
  for (const [index, code] of samples.entries()) {
    await writeFile(path.join(project, `src/sample${index}.ts`), `${code}\nexport {};\n`);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the packed SDK', () => {
  it('holds what is published and nothing else', async () => {
    const files = await filesBelow(installed);
    const odd = files.filter((file) => !/^(package\.json|README\.md|dist\/[\w/]+\.(js|js\.map|d\.ts))$/.test(file));
    expect(odd).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['dist/index.js', 'dist/events.js', 'dist/roundhouse.js.map']));
    const { dependencies, peerDependencies, optionalDependencies } = await readJson('package.json');
    expect([dependencies, peerDependencies, optionalDependencies]).toEqual([undefined, undefined, undefined]);
  });

  it('has every file that it promises', async () => {
    const { exports } = await readJson('package.json');
    const files = await filesBelow(installed);
    const promised = pathsIn(exports);
    expect(promised).toContain('./dist/index.d.ts');
    expect(promised.filter((file) => !files.includes(file.replace('./', '')))).toEqual([]);
  });

  it('imports only its own files, and names no schema library', async () => {
    for (const file of (await filesBelow(installed)).filter((name) => /\.(d\.ts|js)$/.test(name))) {
      const text = await readFile(path.join(installed, file), 'utf8');
      const specifiers = [...text.matchAll(/^(?:import|export)\b[^'"]*?\bfrom\s*["']([^"']+)/gm)].map(
        (match) => match[1],
      );
      expect(
        specifiers.filter((specifier) => !/^\.{1,2}\/[\w./]+\.js$/.test(specifier ?? '')),
        file,
      ).toEqual([]);
      expect(text, file).not.toMatch(/\bimport\s*\(/);
      expect(text, file).not.toMatch(/zod|ts-rest/i);
    }
  });
});

it('the declarations are those that the schemas of the contract infer', async () => {
  const contract = path.join(sdkFolder, 'node_modules/@roundhouse/contract/dist');
  const files = ['fairness', 'fields', 'game', 'grants'].map((name) =>
    readFile(path.join(contract, `${name}.d.ts`), 'utf8'),
  );
  const schemas = (await Promise.all(files)).join('\n');
  const inferred = [...schemas.matchAll(/^export type (\w+) = z\.infer/gm)].map(([, name = '']) => name);
  const published = typesIn(await readFile(path.join(installed, 'dist/index.d.ts'), 'utf8'));
  const both = ['Jurisdiction', ...inferred].filter((name) => published.includes(name));
  expect(both).toEqual(expect.arrayContaining(['BetConfig', 'Jurisdiction', 'NoRound', 'PlayResponse', 'Round']));
  const lines = [
    `import type * as contract from '${contract}/light.js';`,
    "import type * as sdk from '@roundhouse/sdk';",
    'type IsSame<L, R> = (<T>() => T extends L ? 1 : 2) extends <T>() => T extends R ? 1 : 2 ? true : false;',
    ...both.map((name) => `true satisfies IsSame<sdk.${name}, contract.${name}>;`),
    '// @ts-expect-error',
    'true satisfies IsSame<sdk.Balance, contract.Round>;',
  ];
  await typeCheck('same', lines, { skipLibCheck: true });
});

describe('a new TypeScript project', () => {
  it('compiles with every public export, strictly and with the declarations checked', async () => {
    for (const entry of ['index', 'duties', 'events', 'fairness', 'fun', 'grants', 'input']) {
      const declarations = await readFile(path.join(installed, `dist/${entry}.d.ts`), 'utf8');
      const specifier = entry === 'index' ? '@roundhouse/sdk' : `@roundhouse/sdk/${entry}`;
      const exported = valuesIn(declarations);
      const types = typesIn(declarations);
      expect(exported.length).toBeGreaterThan(0);
      const lines = [
        `import { ${exported.join(', ')} } from '${specifier}';`,
        types.length > 0 ? `export type { ${types.join(', ')} } from '${specifier}';` : '',
        `export const all = [${exported.join(', ')}];`,
      ];
      await typeCheck(`all-${entry}`, lines, { skipLibCheck: false });
    }
  });

  it.each([
    { module: 'ESNext', moduleResolution: 'Bundler' },
    { module: 'NodeNext', moduleResolution: 'NodeNext' },
  ])(
    'type-checks the samples of the documents with $moduleResolution',
    async (modules) => {
      const options = { ...modules, target: 'ES2022', lib: ['ES2022', 'DOM'], strict: true, noEmit: true, types: [] };
      const config = path.join(project, `tsconfig.${modules.moduleResolution}.json`);
      await writeFile(config, JSON.stringify({ compilerOptions: options, include: ['src'] }));
      await run(tool('typescript/bin/tsc'), '-p', config);
    },
    60_000,
  );

  it('sees a mistake, so it has the types', async () => {
    const mistakes = [
      "import { createClient } from '@roundhouse/sdk';",
      "import { createEventPlayer } from '@roundhouse/sdk/events';",
      "createClient({ url: location.href }).play({ amount: '1', mode: 'BASE' });",
      "createEventPlayer<{ type: 'reveal' }>({});",
    ];
    await mkdir(path.join(project, 'mistakes'));
    await writeFile(path.join(project, 'mistakes/main.ts'), mistakes.join('\n'));
    const check = run(
      tool('typescript/bin/tsc'),
      '--noEmit',
      '--strict',
      '--module',
      'NodeNext',
      '--ignoreConfig',
      'mistakes/main.ts',
    );
    await expect(check).rejects.toMatchObject({
      stdout: expect.stringMatching(/^mistakes\/main\.ts\(3,.*\nmistakes\/main\.ts\(4,/m),
    });
  });

  it('builds with Vite, and takes of the SDK only what it uses', async () => {
    await writeFile(path.join(project, 'index.html'), '<script type="module" src="/src/sample0.ts"></script>');
    const spin = await viteBuild();
    expect(spin).toContain('/wallet/play');
    expect(spin).not.toContain('could not be shown');

    await writeFile(
      path.join(project, 'src/amount.ts'),
      "import { formatAmount } from '@roundhouse/sdk';\ndocument.title = formatAmount(5, 'USD');\n",
    );
    await writeFile(path.join(project, 'index.html'), '<script type="module" src="/src/amount.ts"></script>');
    const amount = await viteBuild();
    expect(amount).not.toContain('/wallet/play');
    expect(amount.length).toBeLessThan(spin.length / 2);
  });

  it('imports every entry in Node, and a currency that the client has learned is one for all of them', async () => {
    const code = `
      import { createClient } from '@roundhouse/sdk';
      import { createEventPlayer } from '@roundhouse/sdk/events';
      import { funMode } from '@roundhouse/sdk/fun';
      import { createGrants } from '@roundhouse/sdk/grants';
      import { parseAmount } from '@roundhouse/sdk/input';
      const facts = JSON.stringify({ code: 'MBTC', symbol: 'm', decimals: 2, symbolSide: 'after', wireUnitsPerUnit: 100 });
      const replay = { replay: true, game: 'a', version: '1', mode: 'BASE', event: '1', currencyFacts: facts };
      const query = new URLSearchParams({ rgs_url: 'rgs.example', currency: 'MBTC', ...replay });
      createClient({ url: 'https://g.example/a/1/index.html?' + query });
      console.log(typeof createEventPlayer, typeof funMode, typeof createGrants, parseAmount('1 m', 'MBTC'));`;
    const { stdout } = await run('--input-type=module', '-e', code);
    expect(stdout.trim()).toBe('function function function 100000000');
  });
});

it('the plain script makes one global, with everything of all entries', async () => {
  const context: Record<string, unknown> = vm.createContext({ URL, URLSearchParams, AbortController });
  vm.runInContext(await readFile(path.join(installed, 'dist/roundhouse.js'), 'utf8'), context);
  expect(Object.keys(context)).toEqual(['URL', 'URLSearchParams', 'AbortController', 'Roundhouse']);
  const entries = ['index', 'duties', 'events', 'fairness', 'fun', 'grants', 'input'].map(
    (entry) => import(path.join(installed, `dist/${entry}.js`)),
  );
  const names = (await Promise.all(entries)).flatMap((entry) => Object.keys(entry));
  expect(Object.keys(context.Roundhouse as object).sort()).toEqual(names.sort());
  expect(vm.runInContext("Roundhouse.formatAmount(1500000, 'XGC')", context)).toBe('1.50\u00a0GC');
  const url = JSON.stringify('https://g.example/a/1/index.html?sessionID=s&rgs_url=rgs.example');
  expect(vm.runInContext(`Roundhouse.createClient({ url: ${url}, fetch() {} }).launch.rgsUrl`, context)).toBe(
    'https://rgs.example',
  );
});

/** Builds the SDK as it is now, not what lies in dist/, and packs it as it would be published. */
async function pack(staging: string): Promise<string> {
  await mkdir(staging);
  await run(path.join(sdkFolder, 'scripts/build.mjs'), '--outDir', path.join(staging, 'dist'));
  for (const file of ['package.json', 'README.md']) await cp(path.join(sdkFolder, file), path.join(staging, file));
  const options = ['pack', '--json', '--ignore-scripts', '--offline', '--no-update-notifier'];
  const { stdout } = await execute('npm', options, { cwd: staging, shell: isWindows });
  return path.join(staging, JSON.parse(stdout)[0].filename);
}

async function viteBuild(): Promise<string> {
  await rm(path.join(project, 'dist'), { recursive: true, force: true });
  await run(tool('vite/bin/vite.js'), 'build', '--logLevel', 'error');
  const assets = path.join(project, 'dist/assets');
  const scripts = (await readdir(assets)).filter((file) => file.endsWith('.js'));
  return (await Promise.all(scripts.map((file) => readFile(path.join(assets, file), 'utf8')))).join('\n');
}

/** Runs Node in the project. */
function run(...args: string[]): Promise<{ stdout: string }> {
  return execute(process.execPath, args, { cwd: project || sdkFolder });
}

/** Compiles a file of the project, strictly. */
async function typeCheck(name: string, lines: string[], { skipLibCheck }: { skipLibCheck: boolean }): Promise<void> {
  await mkdir(path.join(project, name), { recursive: true });
  await writeFile(path.join(project, name, 'main.ts'), lines.join('\n'));
  const modules = { module: 'NodeNext', target: 'ES2022', lib: ['ES2023', 'DOM'], types: [] };
  const compilerOptions = { ...modules, strict: true, exactOptionalPropertyTypes: true, skipLibCheck, noEmit: true };
  const config = path.join(project, name, 'tsconfig.json');
  await writeFile(config, JSON.stringify({ compilerOptions, files: ['main.ts'] }));
  await run(tool('typescript/bin/tsc'), '-p', config).catch(({ stdout }) => expect.fail(stdout));
}

/** Returns what a bundled declaration file exports, in its last lines. */
function valuesIn(declarations: string): string[] {
  return namesIn(/^export \{ (.*) \};$/m.exec(declarations));
}

function typesIn(declarations: string): string[] {
  return namesIn(/^export type \{ (.*) \};$/m.exec(declarations));
}

function namesIn(list: RegExpExecArray | null): string[] {
  return list?.[1]?.split(', ') ?? [];
}

async function readJson(file: string): Promise<any> {
  return JSON.parse(await readFile(path.join(installed, file), 'utf8'));
}

/** Returns the files that an exports map names, whatever the conditions. */
function pathsIn(exports: unknown): string[] {
  return typeof exports === 'string' ? [exports] : Object.values(exports as object).flatMap(pathsIn);
}

async function filesBelow(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

function codeBlocks(markdown: string, language: string): string[] {
  return [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, kind, code]) =>
    kind === language ? [code ?? ''] : [],
  );
}
