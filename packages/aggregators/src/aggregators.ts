import { engine } from './engine/aggregator.ts';
import { rules as engineRules } from './engine/rules.ts';
import { hub88 } from './hub88/aggregator.ts';
import { rules as hub88Rules } from './hub88/rules.ts';
import type { AnyDialectKit } from './kit/aggregator.ts';
import { onewallet } from './onewallet/aggregator.ts';
import { rules as onewalletRules } from './onewallet/rules.ts';
import { pragmatic } from './pragmatic/aggregator.ts';
import { rules as pragmaticRules } from './pragmatic/rules.ts';
import { relax } from './relax/aggregator.ts';
import { rules as relaxRules } from './relax/rules.ts';
import { slotegrator } from './slotegrator/aggregator.ts';
import { rules as slotegratorRules } from './slotegrator/rules.ts';
import { softswiss } from './softswiss/aggregator.ts';
import { rules as softswissRules } from './softswiss/rules.ts';

/** Each dialect has one line. */
export const AGGREGATORS: readonly AnyDialectKit[] = [
  { aggregator: engine, rules: engineRules },
  { aggregator: hub88, rules: hub88Rules },
  { aggregator: softswiss, rules: softswissRules },
  { aggregator: pragmatic, rules: pragmaticRules },
  { aggregator: relax, rules: relaxRules },
  { aggregator: slotegrator, rules: slotegratorRules },
  { aggregator: onewallet, rules: onewalletRules },
];

export function aggregatorOf(name: string): AnyDialectKit | undefined {
  return AGGREGATORS.find(({ aggregator }) => aggregator.name === name);
}
