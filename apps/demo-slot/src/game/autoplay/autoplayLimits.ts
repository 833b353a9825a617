import type { AutoplaySettings, AutoplayStop } from '../model.ts';
import type { PlayedRound } from '../round/playRound.ts';

/** Whether the next spin would break a limit. All micros, all exact. */
export function stopBeforeSpin(
  { lossLimitMicros }: AutoplaySettings,
  { lostMicros, stakeMicros }: { lostMicros: number; stakeMicros: number },
): AutoplayStop | undefined {
  if (lossLimitMicros === undefined) return undefined;
  return lostMicros + stakeMicros > lossLimitMicros ? 'lossLimit' : undefined;
}

/** Whether a round that was just played is one to stop after. */
export function stopAfterRound(
  { singleWinLimitMicros, stopOnFreeSpins }: AutoplaySettings,
  { payoutMicros, hadFreeSpins }: PlayedRound,
): AutoplayStop | undefined {
  if (singleWinLimitMicros !== undefined && payoutMicros >= singleWinLimitMicros) return 'singleWinLimit';
  return stopOnFreeSpins && hadFreeSpins ? 'freeSpins' : undefined;
}
