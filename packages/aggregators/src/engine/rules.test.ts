import { describeLaws } from '../../test/support/laws.ts';
import { engine } from './aggregator.ts';
import { rules } from './rules.ts';

describeLaws({ aggregator: engine, rules }, { currency: 'EUR', gameID: 'slot', bet: 1_000_000n });
