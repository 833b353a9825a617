import { expect, it } from 'vitest';
import { outcomeText } from './transactionWords.ts';

it.each([
  ['accepted', 'accepted', 'The bet was returned to the player.'],
  ['accepted', 'ERR_BNF', 'The wallet had not taken the bet, so there was nothing to return.'],
  ['pending', 'timeout', 'The bet has not been returned yet. The server sends it again until the wallet accepts it.'],
] as const)('a rollback that is %s with %s says where the bet is', (state, resultCode, text) => {
  expect(outcomeText({ transaction: 'rollback', state }, resultCode)).toBe(text);
});
