import { type DrawRoundsOptions, drawReport, drawRounds, type MathMode } from '@roundhouse/math';
import { runUntilStopped, StartError } from '@roundhouse/service';
import { Command } from 'commander';
import { grouped, renderIssues } from '../../base/terminal/mathReport.ts';
import { createProgressView } from '../../base/terminal/progress.ts';
import { chosenModes, makeTemporaryStore, openPublished } from '../../rounds/games/loadGames.ts';
import { wholeNumber } from '../options/options.ts';
import {
  confidenceInterval,
  isBeyondChance,
  renderSimulation,
  type SimulatedMode,
  simulationJson,
} from '../terminal/simulateReport.ts';

const MOST_ROUNDS = 1e12;
const MOST_THREADS = 1024;
const MAX_SEED = 2 ** 32 - 1;

export function simulateCommand(): Command {
  return new Command('simulate')
    .description(
      'Draws rounds by the code and with the generator of `roundhouse serve`, in threads. Prints RTP with its confidence interval, hit rate, ' +
        'deviation and payouts beside what the lookup table says, and two chi-square tests. Exit code 1 when a ' +
        'difference cannot be chance: a sound draw differs as much once in a million tests.',
    )
    .argument('<folder>', 'published files, or a game with them')
    .option('--mode <name...>', 'only these modes; every mode without it')
    .option(
      '--rounds <number>',
      'rounds of each mode',
      wholeNumber({ least: 1, most: MOST_ROUNDS, unit: ' of rounds' }),
      1_000_000,
    )
    .option(
      '--seed <number>',
      'draw the same in every run, with a generator that is not the one of plays',
      wholeNumber({ least: 0, most: MAX_SEED }),
    )
    .option(
      '--threads <number>',
      'threads that draw (default: one for each core)',
      wholeNumber({ least: 1, most: MOST_THREADS, unit: ' of threads' }),
    )
    .option('--json', 'print the figures as JSON', false)
    .action(simulate);
}

type SimulateOptions = { mode?: string[]; rounds: number; seed?: number; threads?: number; json: boolean };

function simulate(folder: string, { mode: names, json, seed, ...options }: SimulateOptions): Promise<void> {
  return runUntilStopped(async ({ signal }, cleanUp) => {
    const storeFolder = await makeTemporaryStore(cleanUp);
    const { math } = await openPublished({ folder, storeFolder, json, signal });
    if (!math.ok) throw new StartError(renderIssues(math.issues, math.issueCount).trimEnd());
    cleanUp.add(() => math.value.close());
    const store = { storeFolder, sha256: math.value.sha256 };
    const simulated: SimulatedMode[] = [];
    for (const mode of chosenModes([...math.value.modes.values()], names)) {
      simulated.push(await simulateMode(mode, { ...store, ...options, seed, json, signal }));
    }
    const generator = seed === undefined ? 'the generator of plays' : `seed ${seed}`;
    process.stdout.write(
      json
        ? `${JSON.stringify({ seed: seed ?? null, modes: simulated.map(simulationJson) }, null, 2)}\n`
        : `${simulated.map(renderSimulation).join('\n')}\nDrawn with ${generator}.\n`,
    );
    if (simulated.some(({ report }) => isBeyondChance(report))) process.exitCode = 1;
  });
}

type ModeOptions = Pick<DrawRoundsOptions, 'storeFolder' | 'sha256' | 'rounds' | 'seed' | 'threads' | 'signal'> & {
  json: boolean;
};

async function simulateMode(mode: MathMode, { json, rounds, ...options }: ModeOptions): Promise<SimulatedMode> {
  const view = json ? undefined : createProgressView(process.stderr);
  const onProgress = ({ drawn }: { drawn: number }) =>
    view?.show({
      name: mode.name,
      done: drawn,
      total: rounds,
      says: `${grouped(drawn)} of ${grouped(rounds)} rounds`,
    });
  const startedAtMs = performance.now();
  const { key, bookCount } = mode;
  const counts = await drawRounds({ ...options, mode: key, bookCount, rounds, onProgress }).finally(view?.end);
  const seconds = (performance.now() - startedAtMs) / 1000;
  const report = drawReport(mode, counts);
  return { mode, seconds, report, interval: confidenceInterval(mode, report) };
}
