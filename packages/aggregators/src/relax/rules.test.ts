import { describeLaws } from '../../test/support/laws.ts';
import { RELAX } from './rules.ts';

describeLaws(RELAX, { currency: 'EUR', gameID: 'slot', bet: 100n });
