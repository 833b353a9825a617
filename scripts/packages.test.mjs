// The apps as packages: packed, installed into an empty folder outside the workspace, and run
// there.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { install, root } from './bootstrap.mjs';

const run = promisify(execFile);
const SAMPLE_GAME = path.join(root, 'games', 'sample', 'dist');
let folder;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'roundhouse-packages-'));
  const env = install();
  const filters = ['--filter', 'roundhouse...', '--filter', '@roundhouse/operator...'];
  await run('pnpm', ['-r', ...filters, 'pack', '--pack-destination', folder], { cwd: root, env });
  const tarballs = readdirSync(folder).map((file) => [
    /^roundhouse-(?:(.+)-)?[\d.]+tgz$/.exec(file)[1]?.replace(/^/, '@roundhouse/') ?? 'roundhouse',
    file,
  ]);
  const dependencies = Object.fromEntries(tarballs.map(([name, file]) => [name, `file:${file}`]));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  // None of them is in a registry, so what one needs of the others is told to pnpm too. JSON is
  // YAML.
  writeFileSync(path.join(folder, 'pnpm-workspace.yaml'), JSON.stringify({ overrides: dependencies }));
  // As in the images; the store has all that the workspace was installed from.
  const options = ['--prod', '--no-optional', '--prefer-offline', '--ignore-scripts'];
  await run('pnpm', ['install', ...options], { cwd: folder, env });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command of the packages with nothing of our environment. Resolves also when it fails. */
async function command(name, ...args) {
  const program = path.join(folder, 'node_modules', '.bin', name);
  const options = { cwd: folder, env: { PATH: process.env.PATH } };
  return run(program, args, options).catch((error) => error);
}

it('roundhouse lists its commands, and what serve takes', async () => {
  expect((await command('roundhouse', '--help')).stdout).toContain('\n  serve ');
  expect((await command('roundhouse', 'serve', '--help')).stdout).toContain('ROUNDHOUSE_GAMES');
});

it('roundhouse verifies the published math of a game', async () => {
  const { stdout } = await command('roundhouse', 'verify', SAMPLE_GAME);
  expect(stdout).toMatch(/\nNo warnings\.\n$/);
});

it('the operator starts as far as its first missing variable', async () => {
  expect(await command('roundhouse-operator')).toMatchObject({ code: 1, stderr: 'DATABASE_URL is not set\n' });
});

it('the packages bring their migrations and no sources', () => {
  for (const name of ['roundhouse', '@roundhouse/operator']) {
    const files = readdirSync(path.join(folder, 'node_modules', name));
    expect(files).toEqual(expect.arrayContaining(['bin', 'dist', 'prisma']));
    expect(files).not.toContain('src');
  }
});

it('neither secrets nor what a checkout has made reach the build of an image', () => {
  const ignored = readFileSync(path.join(root, '.dockerignore'), 'utf8').split('\n');
  expect(ignored).toEqual(
    expect.arrayContaining(['.env', '.env.*', '.git', '**/node_modules', '**/dist', '**/generated']),
  );
});
