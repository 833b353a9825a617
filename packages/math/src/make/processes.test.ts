import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildForChildren, runChild } from '../../test/support/childProcess.ts';
import { temporaryFolder } from '../../test/support/folders.ts';
import { publishMath, type WeightedBook } from './publish.ts';

let build: { entry: string; remove: () => Promise<void> };
let folder: string;

beforeAll(async () => {
  build = await buildForChildren('processes');
  folder = await mkdtemp(join(tmpdir(), 'roundhouse-math-'));
  await publishMath(folder, [{ name: 'base', cost: 1, books: largeBooks() }]);
});

afterAll(async () => {
  await build.remove();
  await rm(folder, { recursive: true, force: true });
});

const bookCount = 20_000;

/** The books of 10 KB are 200 MB in all. */
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

function openScript(options: { folder: string; storeFolder: string }, then: string): string {
  return `
    const outcome = await math.openMath({ ...${JSON.stringify(options)}, onProgress: (progress) => console.log(JSON.stringify(progress)) });
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
    const mode = outcome.value.modes.get('BASE');
    ${then}
    await outcome.value.close();`;
}

const printEnd = `console.log('END', outcome.value.reopened, mode.bookCount, mode.readEvents(${bookCount - 1}).length);`;

describe('in a separate process, loading', () => {
  it('stays below 200 MB of resident memory with 200 MB of books, and gives each as published', async () => {
    const math = { folder, storeFolder: await temporaryFolder() };
    const published = createHash('sha256');
    for (const { events } of largeBooks()) published.update(JSON.stringify(events));
    // The peak is read before the books: how much of them lies in memory afterwards is up to the
    // collector. Linux counts the memory of the process that started this one in its maxRSS, and
    // not in VmHWM.
    const print = `
      const status = (await import('node:fs')).readFileSync('/proc/self/status', 'utf8');
      const peak = /VmHWM:\\s+(\\d+) kB/.exec(status)[1];
      const hash = (await import('node:crypto')).createHash('sha256');
      for (let position = 0; position < mode.bookCount; position += 1) hash.update(mode.readEvents(position));
      console.log('EVENTS', hash.digest('hex'), 'PEAK', peak);`;
    const child = await runChild(build.entry, openScript(math, print));
    expect(child).toMatchObject({ code: 0, errors: '' });
    expect(child.output).toContain(`EVENTS ${published.digest('hex')}`);
    const peakKB = Number(/PEAK (\d+)/.exec(child.output)?.[1]);
    expect(peakKB).toBeGreaterThan(10_000);
    expect(peakKB).toBeLessThan(200_000);
  });

  it('and being killed in the middle leaves nothing that is later believed', async () => {
    const math = { folder, storeFolder: await temporaryFolder() };
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
    const math = { folder, storeFolder: await temporaryFolder() };
    const script = openScript(math, printEnd);
    const children = await Promise.all([runChild(build.entry, script), runChild(build.entry, script)]);
    for (const child of children)
      expect(child).toMatchObject({ code: 0, errors: '', output: expect.stringContaining(`${bookCount}`) });
    expect(await readdir(math.storeFolder)).toHaveLength(2);
  });
});
