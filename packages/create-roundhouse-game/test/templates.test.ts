import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEMPLATES } from '../src/options.ts';
import { create, makeFolder, PACKAGE, run } from './support/command.ts';

/** Where the programs are that a game's scripts run. */
const env = { PATH: `${path.join(PACKAGE, 'node_modules', '.bin')}${path.delimiter}${process.env.PATH}` };

describe.each(Object.keys(TEMPLATES))('a game of the template %s', (template) => {
  let folder: string;
  let remove: () => Promise<void>;

  beforeAll(async () => {
    const made = await makeFolder();
    remove = made.remove;
    folder = path.join(made.folder, 'game');
    const { code, stderr } = await create(['game', '--template', template, '--no-install'], { cwd: made.folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
  afterAll(() => remove());

  it('has correct types', async () => {
    expect(await run('tsc', [], { cwd: folder, env })).toMatchObject({ code: 0, stdout: '' });
  });

  it('builds a game folder, whose math meets its targets', async () => {
    const built = await run('vite', ['build'], { cwd: folder, env });
    expect(built).toMatchObject({ code: 0 });
    const made = await run('tsx', ['math/publish.ts', 'dist'], { cwd: folder, env });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/tuned +RTP 96[.]00 %, hit rate 34[.]00 %, maximum [\d.]+× once in 500000\n/);
    const tested = await run('vitest', ['run'], { cwd: folder, env });
    expect(tested).toMatchObject({ code: 0, stdout: expect.stringMatching(/8 passed/) });
    expect(JSON.parse(await readFile(path.join(folder, 'dist', 'game.json'), 'utf8'))).toMatchObject({ id: 'game' });
    expect(await readFile(path.join(folder, 'dist', 'frontend', 'index.html'), 'utf8')).toContain('src="./assets/');
  });
});

it('the templates take the versions that this workspace is tested with', async () => {
  const workspace = await readFile(path.join(PACKAGE, '..', '..', 'pnpm-workspace.yaml'), 'utf8');
  const catalog = new Map(
    [...workspace.matchAll(/^ {2}'?([@\w./-]+)'?: ([\^~]?\d\S*)$/gm)].map(([, name, range]) => [name, range]),
  );
  for (const template of Object.keys(TEMPLATES)) {
    const file = path.join(PACKAGE, 'templates', template, 'package.json');
    const { dependencies, devDependencies } = JSON.parse(await readFile(file, 'utf8'));
    for (const [name, range] of Object.entries<string>({ ...dependencies, ...devDependencies })) {
      if (range === '^{{version}}') continue;
      expect(range.replace('^', ''), name).toBe(catalog.get(name)?.replace('^', ''));
    }
  }
});
