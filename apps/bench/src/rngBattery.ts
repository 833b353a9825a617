// `npm run proof -- rng-battery` tests the generator and the draw (docs/compliance/rng.md).

import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MathMode, openMath } from '@roundhouse/math';
import { type CleanUp, runUntilStopped, StoppedEarly } from '@roundhouse/service';
import { Command, InvalidArgumentError, Option } from 'commander';
import { wholePositive } from './options.ts';
import { DIEHARDER_TESTS, runDieharder } from './rng/dieharder.ts';
import { drawTests } from './rng/drawTests.ts';
import { positionsOf, SOURCES, type Source } from './rng/fairSource.ts';
import { chanceOfSuspects, type Judged, judge, type Result } from './rng/verdict.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const GAMES = { sample: 'games/sample/dist', 'demo slot': 'apps/demo-slot/dist' } as const;
const BLOCK = 1_000_000;

type Options = { draws: number; tests: readonly number[]; source: Source };

await new Command('rng-battery')
  .description('Tests the generator with dieharder, and the draw of the sample game and the demo slot.')
  .option('--draws <number>', 'draws of each mode, or none', (text) => (text === 'none' ? 0 : wholePositive(text)), 1e8)
  .option('--tests <list>', 'numbers of dieharder tests (`dieharder -l`), or none', parseTests, DIEHARDER_TESTS)
  .addOption(
    new Option('--source <name>', 'the certified generator, or fair draws: many nonces, or many seeds')
      .choices(SOURCES)
      .default('certified'),
  )
  .action(runBattery)
  .parseAsync();

function runBattery({ draws, tests, source }: Options): Promise<void> {
  return runUntilStopped(async ({ signal }, cleanUp) => {
    const children = new Set<ChildProcess>();
    signal.addEventListener('abort', () => {
      for (const child of children) child.kill('SIGKILL');
    });
    const judged: Judged[] = [];
    for (const test of tests) {
      judged.push(...(await report(await runDieharder(test, { source, children }))));
      signal.throwIfAborted();
    }
    for (const [game, folder] of Object.entries(draws === 0 ? {} : GAMES)) {
      for (const mode of await openModes(path.join(ROOT, folder), cleanUp))
        judged.push(...(await report(await testDraws(mode, { game, draws, source, signal }))));
    }
    const suspects = judged.filter(({ verdict }) => verdict !== 'passed').length;
    const failed = judged.filter(({ verdict }) => verdict === 'FAILED').length;
    const chance = chanceOfSuspects(suspects, judged.length).toFixed(3);
    console.log(
      `\n${judged.length} p-values. Outside of 99 % in the first run: ${suspects}; expected: ${(judged.length / 100).toFixed(1)}; ` +
        `this number or more comes with probability ${chance}. Failed in both runs: ${failed}; expected: ${(judged.length / 10_000).toFixed(3)}.`,
    );
    if (failed > 0) process.exitCode = 1;
  }).catch((error: unknown) => {
    if (!(error instanceof StoppedEarly)) throw error;
    process.exitCode = error.exitCode;
  });
}

async function report(results: Result[]): Promise<Judged[]> {
  const judged = await judge(results);
  for (const { name, p, second, verdict } of judged)
    console.log(`| ${name} | ${p.toFixed(6)} | ${second?.toFixed(6) ?? ''} | ${verdict} |`);
  return judged;
}

type DrawRun = { game: string; draws: number; source: Source; signal: AbortSignal };

async function testDraws(mode: MathMode, run: DrawRun): Promise<Result[]> {
  const next = positionsOf(mode, run);
  const tests = drawTests(mode);
  const block = new Uint32Array(BLOCK);
  for (let left = run.draws; left > 0; left -= BLOCK) {
    run.signal.throwIfAborted();
    const positions = block.subarray(0, Math.min(left, BLOCK));
    for (let at = 0; at < positions.length; at += 1) positions[at] = next();
    for (const test of tests) test.take(positions);
    // The process handles a Ctrl-C here.
    await new Promise(setImmediate);
  }
  const again = () => testDraws(mode, run);
  return tests.flatMap((test) => {
    const p = test.p();
    return p === undefined ? [] : [{ name: `${run.game} ${mode.key}, ${test.name}`, p, again }];
  });
}

async function openModes(folder: string, cleanUp: CleanUp): Promise<MathMode[]> {
  const storeFolder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-battery-'));
  cleanUp.add(() => rm(storeFolder, { recursive: true, force: true }));
  const math = await openMath({ folder: path.join(folder, 'math'), storeFolder });
  if (!math.ok) throw new Error(`${folder}: ${JSON.stringify(math.issues)}`);
  cleanUp.add(() => math.value.close());
  return [...math.value.modes.values()];
}

function parseTests(text: string): readonly number[] {
  if (text === 'none') return [];
  const numbers = text.split(',').map(Number);
  if (numbers.every((number) => Number.isInteger(number) && number >= 0)) return numbers;
  throw new InvalidArgumentError('Numbers of dieharder tests with commas, or none.');
}
