import { describeLaws } from '../../test/support/laws.ts';
import { slotegrator } from './aggregator.ts';
import { rules } from './rules.ts';

describeLaws({ aggregator: slotegrator, rules }, { currency: 'EUR', gameID: 'slot', bet: 250n });
