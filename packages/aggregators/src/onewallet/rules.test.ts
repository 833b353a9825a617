import { describeLaws } from '../../test/support/laws.ts';
import { onewallet } from './aggregator.ts';
import { rules } from './rules.ts';

describeLaws({ aggregator: onewallet, rules }, { currency: 'EUR', gameID: 'slot', bet: 100n });
