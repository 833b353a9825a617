import { describeLaws } from '../../test/support/laws.ts';
import { hub88 } from './hub88.ts';

describeLaws(hub88, { player: 'john12345', currency: 'EUR', gameID: 'slot', bet: 100_000n });
