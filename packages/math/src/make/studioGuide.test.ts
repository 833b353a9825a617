import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { buildForChildren } from '../../test/support/childProcess.ts';
import { temporaryFolder } from '../../test/support/folders.ts';
import { openMath } from '../read/openMath.ts';

const GUIDE = new URL('../../../../docs/studio.md', import.meta.url);

it('the generator in docs/studio.md publishes math with the RTP, hit rate and odds that it names', async () => {
  const guide = await readFile(GUIDE, 'utf8');
  const files = [...guide.matchAll(/```js\n\/\/ (\w+[.]mjs)[\s\S]*?```/g)];
  expect(files.map(([, name]) => name)).toEqual(['round.mjs', 'generate.mjs']);
  const folder = await temporaryFolder();
  const build = await buildForChildren('guide');
  try {
    const packageFolder = join(folder, 'node_modules', '@roundhouse', 'math');
    await mkdir(packageFolder, { recursive: true });
    await writeFile(join(packageFolder, 'package.json'), '{"type":"module","exports":"./index.mjs"}');
    await writeFile(join(packageFolder, 'index.mjs'), `export * from ${JSON.stringify(build.entry)};`);
    for (const [block, name = ''] of files) {
      await writeFile(join(folder, name), block.replace(/^```js\n|```$/g, ''));
    }
    const { stdout } = await promisify(execFile)(process.execPath, ['generate.mjs'], { cwd: folder });
    expect(stdout).toMatch(/RTP 1[.]\d+ by the wheel, 0[.]9600 tuned/);
  } finally {
    await build.remove();
  }
  const outcome = await openMath({ folder: join(folder, 'publish_files'), storeFolder: join(folder, 'store') });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
  const { rtp, hitRate, maxWinOneIn } = outcome.value.modes.get('BASE')?.statistics() ?? {};
  expect(rtp).toBeCloseTo(0.96, 9);
  expect(hitRate).toBeCloseTo(0.35, 6);
  expect(maxWinOneIn).toBeCloseTo(150, 3);
  await outcome.value.close();
});
