import { describeLaws } from '../../test/support/laws.ts';
import { hub88 } from './aggregator.ts';
import { rules } from './rules.ts';

describeLaws({ aggregator: hub88, rules }, { player: 'john12345', currency: 'EUR', gameID: 'slot', bet: 100_000n });
