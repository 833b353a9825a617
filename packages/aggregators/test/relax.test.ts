import { RELAX } from '../src/relax/rules.ts';
import { describeLaws } from './support/laws.ts';

describeLaws(RELAX, { currency: 'EUR', gameID: 'slot', bet: 100n });
