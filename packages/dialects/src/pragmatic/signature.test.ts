import { describe, expect, it } from 'vitest';
import { hashOf, readForm, writeForm } from './signature.ts';

/** md5sum made these of the text that is shown, with `testKey` behind it. */
const VECTORS = [
  [{ token: 't-1', providerId: 'roundhouse' }, 'e49ecd1bf23c49f96dbb5a186ce4c666'],
  // amount=1.50&bonusCode=welcome&gameId=aurora-line&providerId=roundhouse&reference=0190…&…
  [
    {
      ...{ userId: 'player 7', gameId: 'aurora-line', roundId: '1204', amount: '1.50', bonusCode: 'welcome' },
      ...{ reference: '0190d5a2b3c4d5e6f708192a3b4c5d6e', timestamp: '1760000000000', roundDetails: 'spin' },
      ...{ providerId: 'roundhouse', token: '' },
    },
    '43696be802d4fb15200bd91e3d73c001',
  ],
  // currency=EUR&externalPlayerId=Zoë&language=en&lobbyUrl=https://casino.example/?a=1&b=2&…
  [
    {
      ...{ secureLogin: 'rh_casino', symbol: 'aurora-line', language: 'en', token: 'a+b c', externalPlayerId: 'Zoë' },
      ...{ currency: 'EUR', lobbyUrl: 'https://casino.example/?a=1&b=2', cashierUrl: '' },
    },
    'b07431a6f44c46ced454b4da26409a84',
  ],
] as const;

describe('the hash', () => {
  it.each(VECTORS)('of %j', (params, hash) => {
    expect(hashOf(params, 'testKey')).toBe(hash);
    const form = readForm(writeForm(params, 'testKey'));
    expect(form?.hash).toBe(hash);
    expect(hashOf(form ?? {}, 'testKey')).toBe(hash);
  });

  it('is of no form with a name twice', () => {
    expect(readForm('a=1&a=1')).toBeUndefined();
    expect(readForm('a=1', 'a=')).toBeUndefined();
    expect(readForm('a=1', 'b=')).toEqual({ a: '1' });
  });
});
