import { seededRandom } from '@roundhouse/math';
import { MODE_COST_HUNDREDTHS, RTP_BASIS_POINTS } from '../rules.ts';
import type { Mode, Part } from './modes.ts';
import { playRound } from './round.ts';
import { type Kept, selectRounds } from './select.ts';
import { FREE_REELS } from './strips.ts';
import { type TuningFactor, tuned, tuningFactor } from './weights.ts';

/**
 * A book before it is written. Part, stream and number identify its round, which is played again
 * for its events.
 */
export type Outcome = {
  readonly part: Part;
  readonly stream: number;
  readonly round: number;
  readonly payoutMultiplier: number;
  readonly weight: bigint;
};

export type TunedMode = { readonly outcomes: readonly Outcome[]; readonly factor: TuningFactor };

/**
 * About the sum of a mode's weights: large enough that rounding does not matter, and a safe
 * integer.
 */
const WEIGHT_SCALE = 10n ** 15n;

/**
 * Samples every part of a mode and weighs what it keeps, so that the return is exactly {@link
 * RTP_BASIS_POINTS}.
 */
export function outcomesOf(mode: Mode, firstStream: number): TunedMode {
  const shares = mode.parts.reduce((sum, { share }) => sum + share, 0n);
  const outcomes = mode.parts.flatMap((part, place) => sampled(part, { stream: firstStream + place, shares }));
  const target = targetOf(mode);
  return { outcomes: tuned(outcomes, target), factor: tuningFactor(outcomes, target) };
}

function sampled(part: Part, { stream, shares }: { stream: number; shares: bigint }): Outcome[] {
  const payouts = new Uint32Array(part.sampledRounds);
  for (let round = 0; round < payouts.length; round++) {
    payouts[round] = playRound({ ...inputOf(part), random: seededRandom({ stream, round }) });
  }
  return selectRounds(payouts, part.books).map((kept) => ({
    part,
    stream,
    round: kept.round,
    payoutMultiplier: kept.payout,
    weight: naturalWeight(part, { kept, shares }),
  }));
}

export function inputOf({ boards }: Part): Pick<Parameters<typeof playRound>[0], 'boards' | 'freeReels'> {
  return { boards, freeReels: FREE_REELS };
}

/** How often the part is played, times how much of the part's sample the kept round stands for. */
function naturalWeight(part: Part, { kept, shares }: { kept: Kept; shares: bigint }): bigint {
  const rounds = shares * BigInt(part.sampledRounds) * BigInt(kept.of);
  return (WEIGHT_SCALE * part.share * BigInt(kept.count) + rounds / 2n) / rounds;
}

/**
 * The mean payout of the mode, in hundredths of the base bet. Throws RangeError where it is not
 * whole.
 */
function targetOf({ name }: Mode): bigint {
  const product = BigInt(MODE_COST_HUNDREDTHS[name]) * BigInt(RTP_BASIS_POINTS);
  if (product % 10_000n !== 0n) throw new RangeError(`the mean payout of ${name} is not whole hundredths`);
  return product / 10_000n;
}
