import { describeLaws } from '../../test/support/laws.ts';
import { slotegrator } from './aggregator.ts';
import { slotegratorRules } from './rules.ts';

describeLaws({ aggregator: slotegrator, rules: slotegratorRules }, { currency: 'EUR', gameID: 'slot', bet: 250n });
