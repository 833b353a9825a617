import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { create, PACKAGE, temporaryFolder } from './support/command.ts';

const readJson = async (...parts: string[]) => JSON.parse(await readFile(path.join(...parts), 'utf8'));

it('makes a game with the defaults, and asks nothing without a terminal', async () => {
  const cwd = await temporaryFolder();
  const { code, stdout, stderr } = await create(['--no-install'], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('My Game is in');
  expect(stdout).toContain('  cd my-game\n  npm install\n  npm run dev\n');
  const { version } = await readJson(PACKAGE, 'package.json');
  expect(await readJson(cwd, 'my-game', 'package.json')).toMatchObject({
    name: 'my-game',
    dependencies: { '@roundhouse/sdk': `^${version}`, 'pixi.js': expect.any(String) },
    devDependencies: { roundhouse: `^${version}`, '@roundhouse/math': `^${version}` },
  });
  expect(await readJson(cwd, 'my-game', 'game.json')).toMatchObject({ id: 'my-game', title: 'My Game' });
  expect(await readFile(path.join(cwd, 'my-game', 'public', 'tile.svg'), 'utf8')).toContain('>MY GAME</text>');
  expect(await readdir(path.join(cwd, 'my-game'))).toContain('.gitignore');
});

it('writes name, id and title where they belong, whatever is in them', async () => {
  const cwd = await temporaryFolder();
  const title = 'a "quoted" <title> & more';
  const args = ['Lucky Straße', '--template', 'vanilla', '--id', 'Lucky_7', '--name', title, '--no-install'];
  const { code, stdout } = await create(args, { cwd, env: { npm_config_user_agent: 'pnpm/9.0.0 npm/? node/v20' } });
  expect(code).toBe(0);
  expect(stdout).toContain('  cd "Lucky Straße"\n  pnpm install\n  pnpm run dev\n');
  const folder = path.join(cwd, 'Lucky Straße');
  expect((await readJson(folder, 'package.json')).name).toBe('lucky-strasse');
  expect(await readJson(folder, 'game.json')).toMatchObject({ id: 'Lucky_7', title });
  expect(await readFile(path.join(folder, 'index.html'), 'utf8')).toContain(
    '<title>a "quoted" &lt;title> &amp; more</title>',
  );
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    expect(await readFile(path.join(file.parentPath, file.name), 'utf8'), file.name).not.toMatch(/\{\{\w+\}\}/);
  }
});

it.each<[string, string[], RegExp]>([
  ['a folder that is not empty', ['full'], /full exists and is not empty \(holiday.jpg…\). Choose a new folder/],
  ['a file', ['file'], /file is a file. Choose a new folder/],
  ['a name that gives no package name', ['火'], /"火" gives no package name. A package name has the letters a to z/],
  ['an id with a space', ['game', '--id', 'my game'], /"my game" is not a game id. A game id has 1 to 64/],
  [
    'an unknown template',
    ['game', '--template', 'unity'],
    /There is no template "unity". There are: pixi, clusters, vanilla/,
  ],
  ['an unknown option', ['game', '--tempalte', 'pixi'], /Unknown option '--tempalte'.*--help lists the options/s],
  ['a folder without tarballs', ['game', '--packages', 'full'], /full holds no tarballs of Roundhouse/],
])('refuses %s and writes nothing', async (_, args, message) => {
  const cwd = await temporaryFolder();
  await mkdir(path.join(cwd, 'full'));
  await writeFile(path.join(cwd, 'full', 'holiday.jpg'), '');
  await writeFile(path.join(cwd, 'file'), '');
  const { code, stdout, stderr } = await create([...args, '--no-install'], { cwd });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(message);
  expect((await readdir(cwd)).sort()).toEqual(['file', 'full']);
  expect(await readdir(path.join(cwd, 'full'))).toEqual(['holiday.jpg']);
});

it('refuses a Node that is too old', async () => {
  const cwd = await temporaryFolder();
  const old = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.20.4'})";
  const { code, stderr } = await create(['game', '--no-install'], { cwd, node: ['--import', old] });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'create-roundhouse-game needs Node 20.19 or newer; this is 18.20.4. Get one at https://nodejs.org\n',
  });
  expect(await readdir(cwd)).toEqual([]);
});

it('keeps the files when the packages cannot be installed, and says what to run', async () => {
  const cwd = await temporaryFolder();
  // This registry refuses every connection.
  const env = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0', npm_config_cache: cwd };
  const { code, stdout, stderr } = await create(['game', '--template', 'vanilla'], { cwd, env });
  expect(code).toBe(1);
  expect(stderr).toContain('The packages are not installed: npm install ended with');
  expect(stderr).toContain('All files of the game are written.');
  expect(stdout).toMatch(/ {2}cd game\n {2}npm install\n {2}npm run dev\n$/);
  expect(await readdir(path.join(cwd, 'game'))).toContain('package.json');
});

it('links the tarballs of a folder, also for the packages that depend on each other', async () => {
  const cwd = await temporaryFolder();
  await mkdir(path.join(cwd, 'packed'));
  for (const name of [
    'roundhouse-0.1.0.tgz',
    'roundhouse-sdk-0.1.0.tgz',
    'roundhouse-math-0.1.0-rc.1.tgz',
    'other.tgz',
  ])
    await writeFile(path.join(cwd, 'packed', name), '');
  const args = ['game', '--template', 'vanilla', '--packages', 'packed', '--no-install'];
  expect((await create(args, { cwd })).code).toBe(0);
  const manifest = await readJson(cwd, 'game', 'package.json');
  const links = {
    roundhouse: `file:${path.join(cwd, 'packed', 'roundhouse-0.1.0.tgz')}`,
    '@roundhouse/sdk': `file:${path.join(cwd, 'packed', 'roundhouse-sdk-0.1.0.tgz')}`,
    '@roundhouse/math': `file:${path.join(cwd, 'packed', 'roundhouse-math-0.1.0-rc.1.tgz')}`,
  };
  expect(manifest.overrides).toEqual(links);
  expect({ ...manifest.dependencies, ...manifest.devDependencies }).toMatchObject(links);
});
