import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MathPackage, openMath } from '@roundhouse/math';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lineWins } from '../math/round.ts';
import { type Board, type BookEvent, LINES, PAYTABLE, WIN_CAP } from '../math/rules.ts';
import { TARGETS } from '../math/targets.ts';

/** The math as `npm run build` made it, read and verified as the server does it. */
let math: MathPackage;
let storeFolder: string;

beforeAll(async () => {
  storeFolder = await mkdtemp(join(tmpdir(), 'math-test-'));
  const opened = await openMath({ folder: join('dist', 'math'), storeFolder });
  if (!opened.ok) throw new Error(`npm run build makes dist/math first: ${JSON.stringify(opened.issues)}`);
  math = opened.value;
});

afterAll(async () => {
  await math?.close();
  await rm(storeFolder, { recursive: true, force: true });
});

function baseMode() {
  const mode = math.modes.get('BASE');
  if (mode === undefined) throw new Error('there is no mode BASE');
  return mode;
}

describe('the published math', () => {
  it('has the RTP and the hit rate of math/targets.ts', () => {
    const { rtp, hitRate } = baseMode().statistics();
    expect(rtp).toBeCloseTo(TARGETS.rtp, 9);
    expect(hitRate).toBeCloseTo(TARGETS.hitRate, 6);
  });

  it('has a greatest win below the cap, as often as the targets say', () => {
    const { maxWin, maxWinOneIn } = baseMode().statistics();
    expect(Number(maxWin)).toBeLessThanOrEqual(WIN_CAP);
    expect(maxWinOneIn / TARGETS.maxWinOneIn).toBeCloseTo(1, 6);
  });

  it('pays in every book what its board and its last event say', () => {
    const mode = baseMode();
    for (const { position, payoutMultiplier } of mode.books()) {
      const events = JSON.parse(mode.readEvents(position).toString()) as BookEvent[];
      const [reveal] = events;
      if (reveal?.type !== 'reveal') throw new Error(`book ${position} does not begin with a board`);
      const won = lineWins(reveal.board).reduce((sum, { win }) => sum + win, 0);
      expect(Number(payoutMultiplier)).toBe(Math.min(won, WIN_CAP));
      expect(events.at(-1)).toMatchObject({ type: 'finalWin', amount: Number(payoutMultiplier) });
    }
  });
});

describe('a line', () => {
  /**
   * A board whose first line, the middle row, shows these symbols, and whose other lines pay
   * nothing.
   */
  const boardOf = (middle: string): Board => {
    const others = [
      ['L1', 'L2'],
      ['H3', 'L4'],
      ['L3', 'H2'],
      ['L1', 'L2'],
      ['H3', 'L4'],
    ];
    return middle.split(' ').map((symbol, reel) => [others[reel]?.[0], symbol, others[reel]?.[1]]) as Board;
  };

  it.each([
    ['H1 H1 H1 L4 H1', { symbol: 'H1', count: 3, multiplier: 1 }],
    ['L4 L4 L4 L4 L4', { symbol: 'L4', count: 5, multiplier: 1 }],
    ['H2 W W H2 L1', { symbol: 'H2', count: 4, multiplier: 4 }],
  ] as const)('of %s pays for %j', (middle, { symbol, count, multiplier }) => {
    const win = (PAYTABLE[symbol][count - 3] ?? 0) * multiplier;
    expect(lineWins(boardOf(middle))).toContainEqual({ line: 0, symbol, count, multiplier, win });
  });

  it('pays nothing without three of a kind from the left', () => {
    expect(lineWins(boardOf('H1 H1 L4 H1 H1')).filter(({ line }) => line === 0)).toEqual([]);
  });

  it('has a row for each reel', () => {
    for (const rows of LINES) expect(rows).toHaveLength(5);
  });
});
