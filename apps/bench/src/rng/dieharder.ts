import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { StartError } from '@roundhouse/service';
import type { Source } from './fairSource.ts';
import type { Result } from './verdict.ts';

const COMMAND = fileURLToPath(new URL('../../../server/bin/roundhouse.js', import.meta.url));
const FAIR_DUMP = fileURLToPath(new URL('./fairDump.js', import.meta.url));
/** No test reads as much: it ends by closing the pipe. */
const ENDLESS = '100TB';
/** dieharder calls this "stdin_input_raw". */
const RAW_FROM_STANDARD_INPUT = '200';
/** The author rates these tests of `-l` Good. 17 takes long and is left out. */
export const DIEHARDER_TESTS = [
  ...[0, 1, 2, 3, 4, 8, 9, 10, 11, 12, 13, 15, 16],
  ...[100, 101, 102, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209],
] as const;

/** Tests without a size option use some of the sizes that `dieharder -a` takes. */
const SIZES: Readonly<Record<number, readonly number[]>> = {
  200: [1, 4, 8],
  201: [2, 3, 4, 5],
  202: [2, 3, 4, 5],
  203: [0, 8],
};

type Run = { source: Source; children: Set<ChildProcess> };

/**
 * Runs one test in all its sizes, each on fresh output: of `roundhouse rng dump --raw`, or of fair
 * draws.
 */
export async function runDieharder(test: number, run: Run): Promise<Result[]> {
  const sizes = SIZES[test]?.map((size) => ['-n', String(size)]) ?? [[]];
  const results: Result[] = [];
  for (const size of sizes) results.push(...(await runOne(['-d', String(test), ...size], run)));
  return results;
}

async function runOne(test: readonly string[], run: Run): Promise<Result[]> {
  const { source, children } = run;
  const script = source === 'certified' ? [COMMAND, 'rng', 'dump', '--raw', '--bytes', ENDLESS] : [FAIR_DUMP, source];
  const dump = spawn(process.execPath, script, { stdio: ['ignore', 'pipe', 'inherit'] });
  const dieharder = spawn('dieharder', ['-g', RAW_FROM_STANDARD_INPUT, ...test], {
    stdio: [dump.stdout, 'pipe', 'inherit'],
  });
  // Only the two processes hold the pipe: when dieharder ends, the dump gets EPIPE.
  dump.stdout.destroy();
  for (const child of [dump, dieharder]) children.add(child);
  const ended = [dump, dieharder].map((child) => once(child, 'close').finally(() => children.delete(child)));
  const [output] = await Promise.all([text(dieharder.stdout), ...ended]).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new StartError('dieharder is not installed: apt-get install dieharder.');
    throw error;
  });
  const results = parseDieharder(output);
  if (results.length === 0) throw new Error(`dieharder ${test.join(' ')} printed no result:\n${output}`);
  return results.map((result) => ({ ...result, again: () => runOne(test, run) }));
}

/** Reads rows like "diehard_operm5|   0|   1000000|     100|0.30059334|  PASSED". */
export function parseDieharder(output: string): { name: string; p: number }[] {
  const rows = output.matchAll(/^\s*([a-z]\w+)\s*\|\s*(\d+)\|\s*\d+\|\s*\d+\|\s*([\d.]+)\|/gm);
  const seen = new Map<string, number>();
  return Array.from(rows, ([, test = '', size, p]) => {
    const label = `${test}, ${size}`;
    const turn = (seen.get(label) ?? 0) + 1;
    seen.set(label, turn);
    return { name: turn === 1 ? label : `${label}, value ${turn}`, p: Number(p) };
  });
}
