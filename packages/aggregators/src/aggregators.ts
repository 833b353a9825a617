import { hub88 } from './hub88/hub88.ts';
import type { AnyDialectKit } from './kit/aggregator.ts';
import { onewallet } from './onewallet/aggregator.ts';
import { rules as onewalletRules } from './onewallet/rules.ts';
import { pragmatic } from './pragmatic/aggregator.ts';
import { rules as pragmaticRules } from './pragmatic/rules.ts';
import { RELAX } from './relax/rules.ts';
import { slotegrator } from './slotegrator/aggregator.ts';
import { slotegratorRules } from './slotegrator/rules.ts';
import { softswiss } from './softswiss/aggregator.ts';
import { rules as softswissRules } from './softswiss/rules.ts';

/** One line for each dialect. */
export const AGGREGATORS: readonly AnyDialectKit[] = [
  hub88,
  { aggregator: softswiss, rules: softswissRules },
  { aggregator: pragmatic, rules: pragmaticRules },
  RELAX,
  { aggregator: slotegrator, rules: slotegratorRules },
  { aggregator: onewallet, rules: onewalletRules },
];

export function aggregatorOf(name: string): AnyDialectKit | undefined {
  return AGGREGATORS.find(({ aggregator }) => aggregator.name === name);
}
