import type { SeededRandom } from '@roundhouse/math';
import { type Part, PUBLISHED_MODES, partName } from './modes.ts';
import { inputOf } from './outcomes.ts';
import { playRound } from './round.ts';

const PARTS: ReadonlyMap<string, Part> = new Map(
  PUBLISHED_MODES.flatMap((mode) => mode.parts.map((part, place) => [partName(mode, place), part] as const)),
);

/** Plays a round of a part for its payout. Worker threads call it. */
export function simulate(random: SeededRandom, name: string): { payoutMultiplier: number } {
  const part = PARTS.get(name);
  if (part === undefined) throw new RangeError(`there is no part ${name}`);
  return { payoutMultiplier: playRound({ ...inputOf(part), random }) };
}
