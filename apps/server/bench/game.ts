import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { publishMath } from '@roundhouse/math';
import { BET_AMOUNT, PAYOUT_MULTIPLIER } from './workload.ts';

const BOOKS_PER_MODE = 1_000;
const SYMBOLS = ['A', 'K', 'Q', 'J', 'T', 'WILD', 'SCATTER'];

/**
 * A reveal of five reels and a final win, near 2 KB as JSON: the size of a plain spin of a
 * published slot.
 */
export function eventsOf(bookID: number, payoutMultiplier: number): unknown[] {
  const symbolAt = (reel: number, row: number) => ({ name: SYMBOLS[(bookID + reel * 3 + row * 5) % SYMBOLS.length] });
  const reels = Array.from({ length: 5 }, (_, reel) => Array.from({ length: 18 }, (_, row) => symbolAt(reel, row)));
  return [
    { index: 0, type: 'reveal', board: reels, paddingPositions: [216, 205, 195, 16, 65], gameType: 'basegame' },
    { index: 1, type: 'setTotalWin', amount: payoutMultiplier },
    { index: 2, type: 'finalWin', amount: payoutMultiplier },
  ];
}

/**
 * Writes the bench's game: two modes in which every outcome is known, so that each round costs the
 * same.
 */
export async function writeBenchGame(folder: string): Promise<void> {
  const modes = (['LOSE', 'WIN'] as const).map((name) => ({ name, cost: 1, books: books(PAYOUT_MULTIPLIER[name]) }));
  await publishMath(path.join(folder, 'math'), modes);
  const limits = { minBet: BET_AMOUNT, maxBet: BET_AMOUNT, stepBet: BET_AMOUNT };
  const game = {
    id: 'bench',
    version: '1.0.0',
    title: 'Bench',
    betLimits: { default: { ...limits, defaultBetLevel: BET_AMOUNT, betLevels: [BET_AMOUNT] } },
    modes: { LOSE: { autoClose: true }, WIN: { autoClose: false } },
  };
  await writeFile(path.join(folder, 'game.json'), JSON.stringify(game));
}

function* books(payoutMultiplier: number) {
  for (let id = 1; id <= BOOKS_PER_MODE; id += 1) {
    yield { id, payoutMultiplier, weight: 1, events: eventsOf(id, payoutMultiplier) };
  }
}
