import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildForChildren } from '../../test/support/childProcess.ts';
import { temporaryFolder } from '../../test/support/folders.ts';
import { type PlayRound, type simulate, simulateSync } from './simulate.ts';

/** A worker is started from a file of the build. */
let built: { simulate: typeof simulate };
let remove: () => Promise<void>;

beforeAll(async () => {
  const build = await buildForChildren('simulate');
  remove = build.remove;
  built = await import(pathToFileURL(build.entry).href);
});
afterAll(() => remove());

const PLAY: PlayRound = (random, mode) => ({ payoutMultiplier: random.below(mode === 'BASE' ? 100 : 10_000) });
const PLAY_TEXT = "(random, mode) => ({ payoutMultiplier: random.below(mode === 'BASE' ? 100 : 10_000) })";

async function moduleOf(text: string): Promise<URL> {
  const file = join(await temporaryFolder(), 'module.mjs');
  await writeFile(file, text);
  return pathToFileURL(file);
}

describe('simulate', () => {
  it.each([1, 3])('gives what one thread gives, with %d workers', async (workers) => {
    const module = await moduleOf(`export const simulate = ${PLAY_TEXT};`);
    const rounds = { mode: 'BONUS', rounds: 10_000, stream: 5 };
    const expected = simulateSync(PLAY, rounds);
    expect(await built.simulate({ module, workers, ...rounds })).toEqual(expected);
    expect(new Set(expected).size).toBeGreaterThan(5000);
  });

  it('tells how many rounds are played', async () => {
    const module = await moduleOf(`export const simulate = ${PLAY_TEXT};`);
    const seen: number[] = [];
    const onProgress = ({ played, rounds }: { played: number; rounds: number }) => seen.push(played / rounds);
    await built.simulate({ module, mode: 'BASE', rounds: 50_000, stream: 1, workers: 2, onProgress });
    expect(seen.length).toBeGreaterThan(5);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(1);
  });

  it.each<[string, string, RegExp]>([
    ['a module that does not exist', '', /Cannot find module/],
    ['a module without the function', 'export const play = 1;', /exports no function "simulate"/],
    [
      'a function that throws',
      "export const simulate = () => { throw new Error('no such reel'); };",
      /round \d+ of stream 1 in mode BASE: no such reel/,
    ],
    [
      'a payout that is not whole',
      'export const simulate = () => ({ payoutMultiplier: 0.5 });',
      /payoutMultiplier must be a whole number from 0 to 2\^32 − 1, not 0.5/,
    ],
    ['a round without a payout', 'export const simulate = () => undefined;', /whole number.*not undefined/],
    ['a module that ends its thread', 'process.exit(3);', /ended with code 3/],
  ])('rejects for %s', async (_, text, message) => {
    const module = text === '' ? new URL('file:///nowhere/module.mjs') : await moduleOf(text);
    await expect(built.simulate({ module, mode: 'BASE', rounds: 10, stream: 1 })).rejects.toThrow(message);
  });

  it('stops with the reason of its signal', async () => {
    const module = await moduleOf('export const simulate = () => { for (;;); };');
    const stop = new AbortController();
    const running = built.simulate({ module, mode: 'BASE', rounds: 10, stream: 1, signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    await expect(built.simulate({ module, mode: 'BASE', rounds: 10, stream: 1, signal: stop.signal })).rejects.toThrow(
      'enough',
    );
  });

  it.each([0, 1.5, -1, Number.NaN, 2 ** 31])('refuses %d rounds', (rounds) => {
    expect(() => simulateSync(PLAY, { mode: 'BASE', rounds, stream: 1 })).toThrow(/rounds must be a whole number/);
  });
});
