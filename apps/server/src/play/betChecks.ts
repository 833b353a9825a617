import { betConfigFaults, multiplyMicros, payoutOf } from '@roundhouse/contract';
import type { MathMode } from '@roundhouse/math';
import type { BetSettings } from '../games/game.ts';

type PricedMode = { key: string; costMultiplier: string; math: MathMode };

/**
 * Everything that would make some bet's debit or payout inexact or too large (wire.md, "play"): checked once when the game is
 * loaded, on the step (every bet is a multiple of it) and on the largest bet, so that no play can meet it.
 */
export function betFaults(label: string, settings: BetSettings, modes: Iterable<PricedMode>): string[] {
  const faults = betConfigFaults(settings);
  if (faults.length === 0) for (const mode of modes) faults.push(...modeFaults(settings, mode));
  return faults.map((fault) => `bet limits for ${label}: ${fault}`);
}

function modeFaults({ stepBet, maxBet }: BetSettings, { key, costMultiplier, math }: PricedMode): string[] {
  const faults: string[] = [];
  if (multiplyMicros(stepBet, costMultiplier) === undefined) {
    faults.push(`in mode ${key} stepBet ${stepBet} × cost ${costMultiplier} is not a whole number of micros`);
  } else if (multiplyMicros(maxBet, costMultiplier) === undefined) {
    faults.push(`in mode ${key} maxBet ${maxBet} × cost ${costMultiplier} is more than money can hold`);
  }
  const inexact = math.distinctPayouts.find((hundredths) => (BigInt(stepBet) * hundredths) % 100n !== 0n);
  if (inexact !== undefined) {
    faults.push(`in mode ${key} stepBet ${stepBet} × payout multiplier ${inexact}/100 is not a whole number of micros`);
  } else if (payoutOf(maxBet, math.distinctPayouts.at(-1) ?? 0n) === undefined) {
    faults.push(`in mode ${key} maxBet ${maxBet} × the largest payout multiplier is more than money can hold`);
  }
  return faults;
}
