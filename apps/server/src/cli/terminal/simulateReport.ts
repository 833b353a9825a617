import type { ChiSquareTest, DrawReport, MathMode, ModeStatistics } from '@roundhouse/math';
import { bucketLabel, grouped, percent } from '../../base/terminal/mathReport.ts';
import { costsBaseBet } from '../../base/terminal/multiples.ts';
import { type Interval, rtpInterval, theoryOf } from '../../watch/rtp/bounds.ts';

export type SimulatedMode = { mode: MathMode; seconds: number; report: DrawReport; interval: Interval };

const CONFIDENCE = 0.999;
/** A sound draw has a smaller p once in a million tests. */
const BEYOND_CHANCE = 1e-6;

type PublishedMode = Pick<MathMode, 'cost'> & { statistics(): Pick<ModeStatistics, 'moments'> };

/**
 * Returns where the RTP of the table lies with a confidence of 99.9 %, by what was drawn. The
 * bounds are those of docs/compliance/rtp.md, so they hold for any table and any number of rounds.
 */
export function confidenceInterval(mode: PublishedMode, { rounds, rtp }: Pick<DrawReport, 'rounds' | 'rtp'>): Interval {
  const theory = theoryOf(mode.cost, mode.statistics().moments);
  const bets = BigInt(rounds);
  const around = rtpInterval({ rounds: bets, bets, payouts: 0n, betSquares: bets, maxBet: 1n }, theory, CONFIDENCE);
  return { low: Math.max(0, rtp - (around.high - theory.rtp)), high: rtp + (theory.rtp - around.low) };
}

/** Returns whether the draws do not follow the table: no chance explains them. */
export function isBeyondChance({ payoutTest, bookTest }: Pick<DrawReport, 'payoutTest' | 'bookTest'>): boolean {
  return Math.min(payoutTest.p, bookTest.p) < BEYOND_CHANCE;
}

const LABEL_WIDTH = 22;
const COLUMN_WIDTH = 16;

/** Returns a text that ends in a line feed. */
export function renderSimulation({ mode, seconds, report, interval }: SimulatedMode): string {
  const { rounds, rtp, standardDeviation, hitRate, maxWins, buckets, payoutTest, bookTest } = report;
  const table = mode.statistics();
  const isInside = table.rtp >= interval.low && table.rtp <= interval.high;
  const maxWin = `${Number(table.maxWin) / 100}×${costsBaseBet(mode.cost) ? '' : ' of the bet'}`;
  const lines = [
    `${mode.name}, cost ${mode.cost}×: ${grouped(rounds)} rounds in ${seconds.toFixed(1)} s, ${grouped(Math.round(rounds / seconds))} a second`,
    row('', 'drawn', 'table'),
    row('RTP', percent(rtp), percent(table.rtp)),
    row('99.9 % interval', `${points(interval.low)} to ${points(interval.high)} %`, isInside ? 'inside' : 'OUTSIDE'),
    row('hit rate', percent(hitRate), percent(table.hitRate)),
    row(named('deviation', 'of the cost', mode.cost), standardDeviation.toFixed(3), table.standardDeviation.toFixed(3)),
    row(`maximum, ${maxWin}`, grouped(maxWins.drawn), expectedText(maxWins.expected)),
    '',
    row(named('payout', 'of the bet', mode.cost), 'drawn', 'expected'),
    ...buckets.map((bucket) => row(bucketLabel(bucket), grouped(bucket.drawn), expectedText(bucket.expected))),
    '',
    `  chi-square of payouts ${testText(payoutTest)}`,
    `  chi-square of books   ${testText(bookTest)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function row(label: string, drawn: string, table: string): string {
  return `  ${label.padEnd(LABEL_WIDTH)}${drawn.padStart(COLUMN_WIDTH)}${table.padStart(COLUMN_WIDTH)}`.trimEnd();
}

function named(label: string, unit: string, cost: string): string {
  return costsBaseBet(cost) ? label : `${label}, ${unit}`;
}

function points(fraction: number): string {
  return (fraction * 100).toFixed(2);
}

/** The number of expected rounds is not whole. */
function expectedText(rounds: number): string {
  return rounds < 1000 ? rounds.toFixed(2) : grouped(Math.round(rounds));
}

function testText({ statistic, degrees, p }: ChiSquareTest): string {
  const degreesText = `${degrees} ${degrees === 1 ? 'degree' : 'degrees'} of freedom`;
  return `${statistic.toFixed(1)}, ${degreesText}, p = ${p < 1e-4 ? p.toExponential(1) : p.toFixed(4)}`;
}

/** Tools read it. Probabilities and returns are fractions of 1, payouts multiples of a base bet. */
export function simulationJson({ mode, seconds, report, interval }: SimulatedMode) {
  const { payouts, ...figures } = report;
  const { rtp, standardDeviation, hitRate, maxWin, maxWinOneIn } = mode.statistics();
  return {
    name: mode.name,
    cost: mode.cost,
    seconds,
    ...figures,
    payoutHundredths: payouts.toString(),
    interval,
    table: { rtp, standardDeviation, hitRate, maxWin: Number(maxWin) / 100, maxWinOneIn },
  };
}
