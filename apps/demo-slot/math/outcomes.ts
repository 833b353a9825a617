import { type SelectedRound, selectRounds } from '@roundhouse/math';
import { MODE_COST_HUNDREDTHS, RTP_BASIS_POINTS } from '../rules.ts';
import { type Mode, type Part, partName } from './modes.ts';
import type { playRound } from './round.ts';
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
 * A mode's weights have about this sum: large enough that rounding does not matter, and a safe
 * integer.
 */
const WEIGHT_SCALE = 10n ** 15n;

/** Returns what rounds of a part pay, in hundredths: round n of `stream` at position n. */
export type Sampler = (part: string, sample: { stream: number; rounds: number }) => Uint32Array | Promise<Uint32Array>;

/**
 * Samples every part of a mode and weighs what it keeps, so that the return is exactly {@link
 * RTP_BASIS_POINTS}.
 */
export async function outcomesOf(mode: Mode, firstStream: number, sample: Sampler): Promise<TunedMode> {
  const shares = mode.parts.reduce((sum, { share }) => sum + share, 0n);
  const outcomes: Outcome[] = [];
  for (const [place, part] of mode.parts.entries()) {
    const stream = firstStream + place;
    const payouts = await sample(partName(mode, place), { stream, rounds: part.sampledRounds });
    outcomes.push(...kept(part, { payouts, stream, shares }));
  }
  const target = targetOf(mode);
  return { outcomes: tuned(outcomes, target), factor: tuningFactor(outcomes, target) };
}

function kept(part: Part, sampled: { payouts: Uint32Array; stream: number; shares: bigint }): Outcome[] {
  const { payouts, stream, shares } = sampled;
  return selectRounds(payouts, part.books).map((selected) => ({
    part,
    stream,
    round: selected.round,
    payoutMultiplier: selected.payout,
    weight: naturalWeight(part, { kept: selected, shares }),
  }));
}

export function inputOf({ boards }: Part): Pick<Parameters<typeof playRound>[0], 'boards' | 'freeReels'> {
  return { boards, freeReels: FREE_REELS };
}

/**
 * Returns how often the part is played, times the share of the part's sample that the kept round
 * represents.
 */
function naturalWeight(part: Part, { kept, shares }: { kept: SelectedRound; shares: bigint }): bigint {
  const rounds = shares * BigInt(part.sampledRounds) * BigInt(kept.of);
  return (WEIGHT_SCALE * part.share * BigInt(kept.count) + rounds / 2n) / rounds;
}

/**
 * Returns the mean payout of the mode, in hundredths of the base bet. Throws RangeError where it is
 * not whole.
 */
function targetOf({ name }: Mode): bigint {
  const product = BigInt(MODE_COST_HUNDREDTHS[name]) * BigInt(RTP_BASIS_POINTS);
  if (product % 10_000n !== 0n) throw new RangeError(`the mean payout of ${name} is not whole hundredths`);
  return product / 10_000n;
}
