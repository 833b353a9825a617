import { describeLaws } from '../../test/support/laws.ts';
import { relax } from './aggregator.ts';
import { rules } from './rules.ts';

describeLaws({ aggregator: relax, rules }, { currency: 'EUR', gameID: 'slot', bet: 100n });
