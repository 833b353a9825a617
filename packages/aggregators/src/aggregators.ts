import type { AnyDialectKit } from './kit/aggregator.ts';

/** One line for each dialect, in alphabetical order. */
export const AGGREGATORS: readonly AnyDialectKit[] = [];

export function aggregatorOf(name: string): AnyDialectKit | undefined {
  return AGGREGATORS.find(({ aggregator }) => aggregator.name === name);
}
