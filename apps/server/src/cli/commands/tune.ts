import {
  type MathMode,
  type ModeStatistics,
  publishTuned,
  type TunedMode,
  type TuneTargets,
  tuneMode,
} from '@roundhouse/math';
import { runUntilStopped } from '@roundhouse/service';
import { Command, InvalidArgumentError } from 'commander';
import { makeTemporaryStore, openPublished } from '../loadGames.ts';
import { oneIn, percent, renderIssues } from '../verifyReport.ts';

export function tuneCommand(): Command {
  return new Command('tune')
    .summary('find weights that give published books another RTP')
    .description(
      'Finds new weights for published books that meet the targets and change the given weights the least (smallest relative ' +
        'entropy). Prints what changes. Exit code 1 when a target is out of reach.',
    )
    .argument('<folder>', 'published files, or a game with them')
    .requiredOption('--rtp <fraction>', 'the RTP of each mode, such as 0.96', readNumber)
    .option('--hit-rate <fraction>', 'the probability of a payout above zero, such as 0.28', readNumber)
    .option('--max-win-odds <rounds>', 'the greatest win comes once in so many rounds', readNumber)
    .option('--mode <name...>', 'only these modes; every mode without it')
    .option('--out <folder>', 'write the published files with the new weights there; it must not exist')
    .option('--json', 'print the figures as JSON', false)
    .action(tune);
}

type TuneOptions = {
  rtp: number;
  hitRate?: number;
  maxWinOdds?: number;
  mode?: string[];
  out?: string;
  json: boolean;
};

type Tuned = { mode: MathMode; tuned: TunedMode };

function tune(folder: string, options: TuneOptions): Promise<void> {
  return runUntilStopped(async ({ signal }, cleanUp) => {
    const storeFolder = await makeTemporaryStore(cleanUp);
    const { mathFolder, math } = await openPublished({ folder, storeFolder, json: options.json, signal });
    if (!math.ok) throw new Error(renderIssues(math.issues, math.issueCount).trimEnd());
    cleanUp.add(() => math.value.close());

    const targets: TuneTargets = { rtp: options.rtp, hitRate: options.hitRate, maxWinOneIn: options.maxWinOdds };
    const results = chosenModes(math.value.modes, options.mode).map((mode): Tuned => {
      const outcome = tuneMode(mode, targets);
      if (!outcome.ok) throw new Error(`${mode.name}: ${outcome.reason}`);
      return { mode, tuned: outcome.value };
    });
    if (options.out !== undefined) {
      const modes = results.map(({ mode, tuned }) => ({ mode, weights: tuned.weights }));
      await publishTuned({ folder: mathFolder, into: options.out, modes }).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'EEXIST' ? new Error(`${options.out} exists: --out makes a new folder`) : error;
      });
    }
    process.stdout.write(
      options.json ? jsonOf(results) : `${results.map(textOf).join('\n')}\n${lastLine(options.out)}\n`,
    );
  });
}

function readNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Not a number.');
  return value;
}

function chosenModes(modes: ReadonlyMap<string, MathMode>, names: readonly string[] | undefined): MathMode[] {
  if (names === undefined) return [...modes.values()];
  return names.map((name) => {
    const mode = modes.get(name.toUpperCase());
    if (mode === undefined) {
      throw new Error(`no mode ${name}; the modes are ${Array.from(modes.values(), (each) => each.name).join(', ')}`);
    }
    return mode;
  });
}

function textOf({ mode, tuned: { before, after, smallestChange, largestChange, divergenceBits } }: Tuned): string {
  const row = (label: string, figure: (statistics: ModeStatistics) => string): string =>
    `  ${label.padEnd(20)}${figure(before).padStart(18)}${figure(after).padStart(18)}`;
  const change = `${smallestChange.toPrecision(4)} to ${largestChange.toPrecision(4)} times, ${divergenceBits.toPrecision(3)} bits`;
  return [
    `${mode.name}, cost ${mode.cost}×${'before'.padStart(38 - mode.name.length - mode.cost.length - 8)}${'after'.padStart(18)}`,
    row('RTP', ({ rtp }) => percent(rtp)),
    row('standard deviation', ({ standardDeviation }) => standardDeviation.toFixed(3)),
    row('hit rate', ({ hitRate }) => percent(hitRate)),
    row('maximum win', ({ maxWinOneIn }) => oneIn(maxWinOneIn)),
    row('median payout', ({ medianPayout }) => `${Number(medianPayout) / 100}×`),
    `  ${'change of a book'.padEnd(20)}${change}`,
    '',
  ].join('\n');
}

function lastLine(out: string | undefined): string {
  if (out === undefined) return 'Nothing is written: --out <folder> writes the published files with these weights.';
  return `Written to ${out}. \`roundhouse verify ${out}\` checks it.`;
}

function jsonOf(results: readonly Tuned[]): string {
  const figures = ({ rtp, standardDeviation, hitRate, maxWinOneIn }: ModeStatistics) => {
    return { rtp, standardDeviation, hitRate, maxWinOneIn };
  };
  const modes = results.map(({ mode, tuned: { before, after, smallestChange, largestChange, divergenceBits } }) => {
    return {
      name: mode.name,
      before: figures(before),
      after: figures(after),
      smallestChange,
      largestChange,
      divergenceBits,
    };
  });
  return `${JSON.stringify({ modes }, null, 2)}\n`;
}
