import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MathMode, type MathPackage, openMath, tuneMode } from '@roundhouse/math';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  evidenceAgainst,
  type RoundSums,
  sumOf,
  type Theory,
  theoryOf,
  zScore,
} from '../../../src/watch/rtp/bounds.ts';
import { ODDS } from '../../../src/watch/rtp/rtpCheck.ts';
import { NORMAL, payoutDraw, playedRounds, samplesOutside, tableOf } from '../../support/payoutDraw.ts';
import { SAMPLE_GAME, temporaryFolder } from '../../support/roundhouse.ts';

/** The package has this edition of the demo slot. */
const DEMO_SLOT = fileURLToPath(new URL('../../../pages/demo-slot', import.meta.url));
const GAMES = { sample: SAMPLE_GAME, 'demo slot': DEMO_SLOT };
type Game = keyof typeof GAMES;

const MODES: [Game, string][] = [
  ['sample', 'BASE'],
  ['sample', 'BONUS'],
  ['demo slot', 'BASE'],
  ['demo slot', 'ANTE'],
  ['demo slot', 'BONUS'],
];

const opened = new Map<Game, MathPackage>();
let storeFolder: string;

beforeAll(async () => {
  storeFolder = await temporaryFolder('coverage');
  for (const game of Object.keys(GAMES) as Game[]) opened.set(game, await open(path.join(GAMES[game], 'math')));
});
afterAll(() => Promise.all([...opened.values()].map((math) => math.close())));

async function open(folder: string): Promise<MathPackage> {
  const math = await openMath({ folder, storeFolder });
  if (!math.ok) throw new Error(math.issues.map(({ message }) => message).join('\n'));
  return math.value;
}

const modeOf = (game: Game, name: string) => opened.get(game)?.modes.get(name) as MathMode;
const theoryOfMode = (mode: MathMode) => theoryOf(mode.cost, mode.statistics().moments);

/** Returns weights of the mode that lower its RTP by as many percentage points. */
function weightsBelow(mode: MathMode, points: number): BigUint64Array {
  const tuned = tuneMode(mode, { rtp: mode.statistics().rtp - points / 100 });
  if (!tuned.ok) throw new Error(tuned.reason);
  return tuned.value.weights;
}

describe.each(MODES)('published math: %s, %s', (game, name) => {
  it('the interval of 99.9 % holds the RTP of its rounds', () => {
    const mode = modeOf(game, name);
    const samples = 1_500;
    const outside = samplesOutside(tableOf(mode), theoryOfMode(mode), { samples, rounds: 1_000 });
    expect(outside.bound).toBeLessThanOrEqual(samples / 1_000);
    // The z-score decides nothing: a base game leaves it more than three times as often.
    if (name === 'BASE') expect(outside.normal).toBeGreaterThan(samples / 300);
  });

  it('gives no alarm in 1,000 weeks of looks, beyond the stated rate', () => {
    const mode = modeOf(game, name);
    const theory = theoryOfMode(mode);
    const draw = payoutDraw(tableOf(mode), 1);
    const evidence = { life: 0, month: 0, day: 0 };
    const lookAt = (period: keyof typeof evidence, sums: RoundSums) => {
      evidence[period] = Math.max(evidence[period], evidenceAgainst(sums, theory) / ODDS[period]);
    };
    let [life, month]: (RoundSums | undefined)[] = [];
    let looksOutside = 0;
    for (let day = 0; day < 7_000; day += 1) {
      const today = playedRounds(draw, { rounds: 120, cost: mode.cost });
      life = life === undefined ? today : sumOf(life, today);
      month = month === undefined || day % 30 === 0 ? today : sumOf(month, today);
      lookAt('life', life);
      lookAt('month', month);
      lookAt('day', today);
      if (Math.abs(zScore(month, theory) as number) > NORMAL) looksOutside += 1;
    }
    // The stated rates allow 0.001 lives, 0.02 months and 0.07 days in this time.
    expect(Math.max(...Object.values(evidence)), JSON.stringify(evidence)).toBeLessThan(1);
    // The test looks each day at the z-score of the month, as if it were the only one.
    if (name === 'BASE') expect(looksOutside).toBeGreaterThan(7);
  });
});

describe('a table with less RTP behind the back of the server', () => {
  /** Counts rounds with equal bets until the life is reported, in steps of a 50th of `expected`. */
  function roundsUntilAlarm(draw: () => number, theory: Theory, expected: number): number {
    const rounds = Math.ceil(expected / 50);
    const block = () => playedRounds(draw, { rounds, cost: theory.cost, largest: 1 });
    let life = block();
    while (evidenceAgainst(life, theory) < ODDS.life && life.rounds < 10 * expected) life = sumOf(life, block());
    return Number(life.rounds);
  }

  // docs/compliance/rtp.md has this table.
  it.each<[Game, mode: string, points: number, stated: number, runs: number]>([
    ['sample', 'BASE', 10, 304_000, 9],
    ['sample', 'BONUS', 1, 504_000, 4],
    ['sample', 'BONUS', 10, 5_040, 9],
    ['demo slot', 'BASE', 1, 32_200_000, 1],
    ['demo slot', 'BASE', 10, 322_000, 9],
    ['demo slot', 'ANTE', 10, 389_000, 9],
    ['demo slot', 'BONUS', 1, 1_010_000, 4],
    ['demo slot', 'BONUS', 10, 10_100, 9],
  ])('%s, %s, %i points less: reported after about %i rounds', (game, name, points, stated, runs) => {
    const mode = modeOf(game, name);
    const theory = theoryOfMode(mode);
    const expected = (2 * Math.log(ODDS.life * 128) * theory.secondMoment) / (points / 100) ** 2;
    expect(expected / stated).toBeCloseTo(1, 1);
    const table = tableOf(mode, weightsBelow(mode, points));
    const taken = Array.from(
      { length: runs },
      (_, run) => roundsUntilAlarm(payoutDraw(table, 100 + run), theory, stated) / stated,
    );
    expect(Math.min(...taken)).toBeGreaterThan(0.3);
    expect(Math.max(...taken)).toBeLessThan(2.5);
  });
});
