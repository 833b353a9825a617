import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildForChildren, runChild } from '../test/support/childProcess.ts';
import { temporaryFolder } from '../test/support/folders.ts';
import { publishMath, type WeightedBook } from './publish.ts';

let build: { entry: string; remove: () => Promise<void> };

beforeAll(async () => {
  build = await buildForChildren('processes');
}, 60_000);

afterAll(() => build.remove());

const bookCount = 20_000;

/** 200 MB of books of 10 KB. */
function* largeBooks(): Generator<WeightedBook> {
  for (let id = 0; id < bookCount; id += 1) {
    const events = Array.from({ length: 100 }, (_, index) => ({
      index,
      type: 'reveal',
      board: `${id * index} `.repeat(8),
    }));
    yield { id, payoutMultiplier: (id % 50) * 10, events, weight: id + 1 };
  }
}

async function largeMath(): Promise<{ folder: string; storeFolder: string }> {
  const [folder, storeFolder] = [await temporaryFolder(), await temporaryFolder()];
  await publishMath(folder, [{ name: 'base', cost: 1, books: largeBooks() }]);
  return { folder, storeFolder };
}

function openScript(options: { folder: string; storeFolder: string }, then: string): string {
  return `
    const outcome = await math.openMath({ ...${JSON.stringify(options)}, onProgress: (progress) => console.log(JSON.stringify(progress)) });
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
    const mode = outcome.value.modes.get('BASE');
    ${then}
    await outcome.value.close();`;
}

const printEnd = `console.log('END', outcome.value.reopened, mode.bookCount, (await mode.readEvents(${bookCount - 1})).length);`;

describe('in a process of its own, loading', { timeout: 120_000 }, () => {
  it('stays below 200 MB of resident memory with 200 MB of books, and gives each as published', async () => {
    const math = await largeMath();
    const sample = [...largeBooks()]
      .filter(({ id }) => id % 997 === 0)
      .map(({ id, events }) => [id, JSON.stringify(events)]);
    const check = `
      for (const [id, events] of ${JSON.stringify(sample)}) {
        if ((await mode.readEvents(mode.find(id).position)).toString() !== events) throw new Error('book ' + id);
      }
      console.log('PEAK', process.resourceUsage().maxRSS);`;
    const child = await runChild(build.entry, openScript(math, check));
    expect(child).toMatchObject({ code: 0, errors: '' });
    const peakKB = Number(/PEAK (\d+)/.exec(child.output)?.[1]);
    expect(peakKB).toBeGreaterThan(10_000);
    expect(peakKB).toBeLessThan(200_000);
  });

  it('and being killed in the middle leaves nothing that is later believed', async () => {
    const math = await largeMath();
    const killed = await runChild(build.entry, openScript(math, printEnd), (_output, child) => child.kill('SIGKILL'));
    expect(killed.code).toBeNull();
    expect(killed.output).not.toContain('END');
    const [leftover, ...others] = await readdir(math.storeFolder);
    expect(leftover).toMatch(/^\.loading~/);
    expect(others).toEqual([]);
    const next = await runChild(build.entry, openScript(math, printEnd));
    expect(next.output).toContain(`END false ${bookCount}`);
    const names = await readdir(math.storeFolder);
    expect(names.filter((name) => name !== '.sources')).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  it('the same math twice at once gives both the same store', async () => {
    const math = await largeMath();
    const script = openScript(math, printEnd);
    const children = await Promise.all([runChild(build.entry, script), runChild(build.entry, script)]);
    for (const child of children)
      expect(child).toMatchObject({ code: 0, errors: '', output: expect.stringContaining(`${bookCount}`) });
    expect(await readdir(math.storeFolder)).toHaveLength(2);
  });
});
