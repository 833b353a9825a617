import { describeLaws } from '../../test/support/laws.ts';
import { pragmatic } from './aggregator.ts';
import { rules } from './rules.ts';

describeLaws({ aggregator: pragmatic, rules }, { currency: 'EUR', gameID: 'slot', bet: 100n });
