import { cp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEMPLATES } from '../../src/options.ts';
import { create, makeFolder, PACKAGE, run } from '../support/command.ts';

/** The programs that a game's scripts run are here. */
const env = { PATH: `${path.join(PACKAGE, 'node_modules', '.bin')}${path.delimiter}${process.env.PATH}` };

/** The generator prints this line of its mode. */
const TUNED = /tuned +RTP 96[.]00 %, hit rate 34[.]00 %, maximum 400× once in 500000\n/;
/** The build has made the math of this one, in ten seconds of a core. Its tests know it. */
const MADE = { template: 'clusters', dist: path.join(PACKAGE, '..', '..', 'games', 'clusters', 'dist') };

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
    const isMade = template === MADE.template;
    if (isMade) {
      for (const name of ['math', 'game.json'])
        await cp(path.join(MADE.dist, name), path.join(folder, 'dist', name), { recursive: true });
    } else {
      const made = await run('tsx', ['math/publish.ts', 'dist'], { cwd: folder, env });
      expect(made).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(TUNED) });
    }
    const tested = await run('vitest', ['run'], { cwd: folder, env });
    expect(tested).toMatchObject({ code: 0, stdout: expect.stringMatching(/Tests.* passed/) });
    const game = JSON.parse(await readFile(path.join(folder, 'dist', 'game.json'), 'utf8'));
    expect(game).toMatchObject({
      id: isMade ? 'coral-cascade' : 'game',
      betLimits: { scaled: { minBet: 100_000 } },
    });
    const frontend = path.join(folder, 'dist', 'frontend');
    expect(await readFile(path.join(frontend, 'index.html'), 'utf8')).toContain('src="./assets/');
    if (game.thumbnail) expect(await readFile(path.join(frontend, game.thumbnail), 'utf8')).toContain('<svg');
  });
});

it('the templates take the versions that this workspace is tested with', async () => {
  const workspace = await readFile(path.join(PACKAGE, '..', '..', 'pnpm-workspace.yaml'), 'utf8');
  const catalog = new Map(
    [...workspace.matchAll(/^ {2}'?([@\w./-]+)'?: ([\^~]?\d\S*)$/gm)].map(([, name, range]) => [name, range]),
  );
  for (const layer of ['base', 'screen']) {
    const file = path.join(PACKAGE, 'templates', layer, 'package.json');
    const { dependencies, devDependencies } = JSON.parse(await readFile(file, 'utf8'));
    for (const [name, range] of Object.entries<string>({ ...dependencies, ...devDependencies })) {
      if (range === '^{{version}}') continue;
      expect(range.replace('^', ''), name).toBe(catalog.get(name)?.replace('^', ''));
    }
  }
});

it('no file of the templates is there twice', async () => {
  const folder = path.join(PACKAGE, 'templates');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const contents = new Map<string, string>();
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    const content = await readFile(file, 'utf8');
    expect(contents.get(content), file).toBeUndefined();
    contents.set(content, file);
  }
});
