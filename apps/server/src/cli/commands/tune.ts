import {
  type MathMode,
  type ModeStatistics,
  publishTuned,
  type TunedMode,
  type TuneTargets,
  tuneMode,
} from '@roundhouse/math';
import { runUntilStopped, StartError } from '@roundhouse/service';
import { Command, InvalidArgumentError } from 'commander';
import { oneIn, percent, renderIssues } from '../../base/terminal/mathReport.ts';
import { costsBaseBet } from '../../base/terminal/multiples.ts';
import { chosenModes, makeTemporaryStore, openPublished } from '../../rounds/games/loadGames.ts';

export function tuneCommand(): Command {
  return new Command('tune')
    .description(
      'Finds new weights for published books that meet the targets and change the given weights the least (smallest relative ' +
        'entropy). Prints what changes. Exit code 1 when a target is out of reach.',
    )
    .argument('<folder>', 'published files, or a game with them')
    .requiredOption('--rtp <fraction>', 'the RTP of each mode, such as 0.96', readNumber)
    .option('--hit-rate <fraction>', 'the probability of a payout above zero, such as 0.28', readNumber)
    .option('--max-win-odds <rounds>', 'the greatest win comes once in this number of rounds', readNumber)
    .option('--volatility <deviation>', 'the standard deviation of payout ÷ cost, as `verify` prints it', readNumber)
    .option('--mode <name...>', 'only these modes; every mode without it')
    .option('--out <folder>', 'write the published files with the new weights there; it must not exist')
    .option('--json', 'print the figures as JSON', false)
    .action(tune);
}

type TuneOptions = {
  rtp: number;
  hitRate?: number;
  maxWinOdds?: number;
  volatility?: number;
  mode?: string[];
  out?: string;
  json: boolean;
};

type Tuned = { mode: MathMode; tuned: TunedMode };

function tune(folder: string, options: TuneOptions): Promise<void> {
  return runUntilStopped(async ({ signal }, cleanUp) => {
    const storeFolder = await makeTemporaryStore(cleanUp);
    const { mathFolder, math } = await openPublished({ folder, storeFolder, json: options.json, signal });
    if (!math.ok) throw new StartError(renderIssues(math.issues, math.issueCount).trimEnd());
    cleanUp.add(() => math.value.close());

    const targets = targetsOf(options);
    const results = chosenModes([...math.value.modes.values()], options.mode).map((mode): Tuned => {
      const outcome = tuneMode(mode, targets);
      if (!outcome.ok) throw new StartError(`${mode.name}: ${outcome.reason}`);
      return { mode, tuned: outcome.value };
    });
    if (options.out !== undefined) {
      const modes = results.map(({ mode, tuned }) => ({ mode, weights: tuned.weights }));
      await publishTuned({ folder: mathFolder, into: options.out, modes }).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'EEXIST' ? new StartError(`${options.out} exists: --out makes a new folder`) : error;
      });
    }
    process.stdout.write(
      options.json ? jsonOf(results) : `${results.map(textOf).join('\n')}\n${lastLine(options.out)}\n`,
    );
  });
}

function targetsOf({ rtp, hitRate, maxWinOdds, volatility }: TuneOptions): TuneTargets {
  return { rtp, hitRate, maxWinOneIn: maxWinOdds, standardDeviation: volatility };
}

function readNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Not a number.');
  return value;
}

const LABEL_WIDTH = 20;
const FIGURE_WIDTH = 18;
const OF_COST = ', of the cost';
const OF_BET = ', of the bet';

function textOf({ mode, tuned: { before, after, smallestChange, largestChange, divergenceBits } }: Tuned): string {
  const isPlain = costsBaseBet(mode.cost);
  const labelWidth = isPlain ? LABEL_WIDTH : LABEL_WIDTH + OF_COST.length;
  const row = (label: string, figure: (statistics: ModeStatistics) => string): string =>
    `  ${label.padEnd(labelWidth)}${figure(before).padStart(FIGURE_WIDTH)}${figure(after).padStart(FIGURE_WIDTH)}`;
  const labelled = (label: string, unit: string) => (isPlain ? label : `${label}${unit}`);
  const change = `${smallestChange.toPrecision(4)} to ${largestChange.toPrecision(4)} times, ${divergenceBits.toPrecision(3)} bits`;
  const title = `${mode.name}, cost ${mode.cost}×`.padEnd(labelWidth + 2);
  return [
    `${title}${'before'.padStart(FIGURE_WIDTH)}${'after'.padStart(FIGURE_WIDTH)}`,
    row('RTP', ({ rtp }) => percent(rtp)),
    row(labelled('standard deviation', OF_COST), ({ standardDeviation }) => standardDeviation.toFixed(3)),
    row('hit rate', ({ hitRate }) => percent(hitRate)),
    row('maximum win', ({ maxWinOneIn }) => oneIn(maxWinOneIn)),
    row(labelled('median payout', OF_BET), ({ medianPayout }) => `${Number(medianPayout) / 100}×`),
    `  ${'change of a book'.padEnd(labelWidth)}${change}`,
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
