import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import {
  COMMAND,
  environment,
  expectOneLine,
  runRoundhouse,
  SAMPLE_GAME,
  temporaryFolder,
} from '../support/roundhouse.ts';

const TABLE = path.join(SAMPLE_GAME, 'math', 'lookUpTable_base_0.csv');
const SCALED = ['rng', 'dump', '--scaled', 'sample-lines/base', '--games', SAMPLE_GAME];

async function dumpTo(file: string, args: readonly string[]): Promise<Buffer> {
  const { code, stderr } = await runRoundhouse([...args, '--out', file]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return readFile(file);
}

it('raw output has the requested length, with each bit as often as not', async () => {
  const folder = await temporaryFolder('rng');
  const bytes = await dumpTo(path.join(folder, 'raw'), ['rng', 'dump', '--raw', '--bytes', '1MB']);
  expect(bytes).toHaveLength(1_000_000);
  const ones = new Uint32Array(64);
  for (let at = 0; at < bytes.length; at += 1)
    for (let bit = 0; bit < 8; bit += 1)
      if (((bytes[at] as number) >> bit) & 1) ones[8 * (at % 8) + bit] = (ones[8 * (at % 8) + bit] as number) + 1;
  // The bound is nine standard deviations of 125,000 fair bits.
  for (const count of ones) expect(Math.abs(count - 62_500)).toBeLessThan(9 * Math.sqrt(125_000 / 4));
  const odd = await dumpTo(path.join(folder, 'odd'), ['rng', 'dump', '--raw', '--bytes', '65539']);
  expect(odd).toHaveLength(65_539);
  expect(
    odd.subarray(65_536).equals(bytes.subarray(65_536, 65_539)) && odd.subarray(0, 3).equals(bytes.subarray(0, 3)),
  ).toBe(false);
});

it('scaled draws are positions of the lookup table, by its weights, as bytes or as text', async () => {
  const folder = await temporaryFolder('rng');
  const rows = (await readFile(TABLE, 'utf8')).trim().split('\n');
  const weights = rows.map((row) => Number(row.split(',')[1]));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const bytes = await dumpTo(path.join(folder, 'scaled'), [...SCALED, '--draws', '100001']);
  expect(bytes).toHaveLength(400_004);
  const positions = Array.from({ length: 100_001 }, (_, draw) => bytes.readUInt32LE(4 * draw));
  const mean = weights.reduce((sum, weight, position) => sum + (weight / total) * position, 0);
  const square = weights.reduce((sum, weight, position) => sum + (weight / total) * position ** 2, 0);
  const drawn = positions.reduce((sum, position) => sum + position, 0) / positions.length;
  expect(Math.abs(drawn - mean)).toBeLessThan(7 * Math.sqrt((square - mean ** 2) / positions.length));
  for (const position of positions) expect(weights[position]).toBeGreaterThan(0);

  const text = (await runRoundhouse([...SCALED, '--draws', '20000', '--text'])).stdout;
  const lines = text.trimEnd().split('\n');
  expect(lines).toHaveLength(20_000);
  for (const line of lines) expect(line).toMatch(/^\d{1,4}$/);
});

it('a reader that has enough ends the command quietly', async () => {
  const child = spawn(process.execPath, [COMMAND, 'rng', 'dump', '--raw', '--bytes', '100TB'], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const [first] = await once(child.stdout, 'data');
  child.stdout.destroy();
  expect(first.length).toBeGreaterThan(0);
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(errors).toBe('');
});

/** Each word stands for a path in the arguments below. */
const PLACES: Record<string, string> = { sample: SAMPLE_GAME, file: COMMAND };
beforeAll(async () => {
  for (const name of ['two', 'broken']) {
    const games = await temporaryFolder(name);
    for (const copy of ['one', 'two']) await cp(SAMPLE_GAME, path.join(games, copy), { recursive: true });
    PLACES[name] = games;
  }
  await writeFile(path.join(PLACES.broken ?? '', 'one', 'game.json'), '{');
});
const ONE = '--scaled sample-lines/base --draws 1';

it.each([
  ['--raw', /^What to write\? --raw with --bytes, or --scaled with --draws\.$/m],
  ['--text', /^What to write\?/],
  ['--scaled lines --draws 1', /^--scaled takes <game>\/<mode>, for example sample\/base, and not lines\.$/m],
  ['--scaled a/b --draws 1', /^No games: set ROUNDHOUSE_GAMES/],
  ['--scaled a/b --draws 1 --games sample', /^There is no game a below .*\. There: sample-lines\.$/m],
  ['--scaled a/b --draws 1 --games /nowhere', /^The games folder \/nowhere cannot be read: ENOENT\.$/m],
  [`${ONE} --games two`, /^--games has sample-lines more than once: .*one, .*two\. Name one of them\.$/m],
  [`${ONE} --games broken`, /game\.json/],
  ['--scaled sample-lines/x --draws 1 --games sample', /^There is no mode x in it; it has BASE, BONUS\.$/m],
  ['--raw --bytes 8 --out /nowhere/file', /^The output cannot be written: ENOENT\.$/m],
  ['--raw --bytes 8 --out file', /exists: --out makes a new file\.$/m],
  ['--raw --bytes 1.5GB', /'1\.5GB' is invalid\. A whole number of bytes above zero, such as 1000000 or 10GB\.$/m],
  ['--raw --bytes 0', /argument '0' is invalid/],
  ['--raw --bytes 10000000TB', /is invalid/],
  ['--raw --bytes 8 --draws 3', /option '--raw' cannot be used with option '--draws <number>'/],
  ['--scaled a/b --draws -1', /A whole number of draws from 1/],
])('rng dump %s is refused', async (args, line) => {
  const exit = await runRoundhouse(['rng', 'dump', ...args.split(' ').map((word) => PLACES[word] ?? word)]);
  expectOneLine(exit, line);
  expect(exit.stdout).toBe('');
});
