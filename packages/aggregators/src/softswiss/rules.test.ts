import { describeLaws } from '../../test/support/laws.ts';
import { softswiss } from './aggregator.ts';
import { rules } from './rules.ts';

describeLaws({ aggregator: softswiss, rules }, { currency: 'EUR', gameID: 'slot', bet: 100n });
