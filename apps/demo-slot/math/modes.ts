import type { ModeName } from '../rules.ts';
import { type BoardSource, boardsWithScatters, type Reels } from './reels.ts';
import { ANTE_REELS, BASE_REELS } from './strips.ts';

/**
 * A part of a mode's rounds, defined by the scatters of the first board. Each part is sampled
 * separately, so that rare parts are known as well as the others. Its share says how often it is
 * played.
 */
export type Part = {
  readonly boards: BoardSource;
  /** Divided by the sum of the mode's shares. Exact. */
  readonly share: bigint;
  /** Rounds that are played to learn what the part pays. */
  readonly sampledRounds: number;
  /** How many of them become books. */
  readonly books: number;
};

export type Mode = { readonly name: ModeName; readonly parts: readonly Part[] };

type Size = Pick<Part, 'sampledRounds' | 'books'>;

const NO_FREE_SPINS: Size = { sampledRounds: 1_000_000, books: 90_500 };
const FREE_SPINS_SIZES: Readonly<Record<number, Size>> = {
  3: { sampledRounds: 180_000, books: 8000 },
  4: { sampledRounds: 40_000, books: 1600 },
  5: { sampledRounds: 12_000, books: 600 },
};

/** Percent, by the scatters of the first board: four and five come more often than by chance. */
const BONUS_SHARES: Readonly<Record<number, bigint>> = { 3: 75n, 4: 19n, 5: 6n };
const BONUS_SIZES: Readonly<Record<number, Size>> = {
  3: { sampledRounds: 260_000, books: 75_000 },
  4: { sampledRounds: 80_000, books: 19_500 },
  5: { sampledRounds: 30_000, books: 6000 },
};

export const PUBLISHED_MODES: readonly Mode[] = [
  { name: 'BASE', parts: naturalParts(BASE_REELS) },
  { name: 'ANTE', parts: naturalParts(ANTE_REELS) },
  { name: 'BONUS', parts: bonusParts() },
];

export function partName(mode: Mode, place: number): string {
  return `${mode.name} ${place}`;
}

/** The reels fall freely: every combination of stops is as likely as any other. */
function naturalParts(reels: Reels): Part[] {
  const quiet = boardsWithScatters(reels, [0, 1, 2]);
  const triggering = Object.entries(FREE_SPINS_SIZES).map(([scatters, size]) => {
    const boards = boardsWithScatters(reels, [Number(scatters)]);
    return { boards, share: boards.ways, ...size };
  });
  return [{ boards: quiet, share: quiet.ways, ...NO_FREE_SPINS }, ...triggering];
}

function bonusParts(): Part[] {
  return Object.entries(BONUS_SIZES).map(([scatters, size]) => ({
    boards: boardsWithScatters(BASE_REELS, [Number(scatters)]),
    share: BONUS_SHARES[Number(scatters)] as bigint,
    ...size,
  }));
}
