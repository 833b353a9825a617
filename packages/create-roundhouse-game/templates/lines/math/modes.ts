import type { Mode } from './mode.ts';

/** The game offers each mode but BASE as a round to buy. */
export const MODES = {
  BASE: { cost: 1, rtp: 0.96, hitRate: 0.34, maxWinOneIn: 500_000 },
} satisfies Record<string, Mode>;

export type ModeName = keyof typeof MODES;

/** How many rounds of each mode are simulated, and how many of them become books at most. */
export const SAMPLE = { rounds: 200_000, books: 10_000 };
