import type { Draws } from '@roundhouse/contract';
import type { DrawKind } from '../generated/client.ts';

/** Returns how the database writes it; undefined leaves it to what comes next. */
export function drawKindOf(draws: Draws | null | undefined): DrawKind | null {
  if (draws === null || draws === undefined) return null;
  return draws === 'provablyFair' ? 'provably_fair' : 'certified';
}

export function drawsOf(kind: DrawKind | null): Draws | null {
  if (kind === null) return null;
  return kind === 'provably_fair' ? 'provablyFair' : 'certified';
}
