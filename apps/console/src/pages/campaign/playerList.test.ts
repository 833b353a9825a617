import { expect, test as it } from 'vitest';
import { inParts, readPlayers } from './playerList.ts';

it('reads one player per line, with a currency if there are several', () => {
  const text = 'anna\r\nben, eur\n\ncarl;USD\ndora\tUSD\n';
  expect(readPlayers(text.replace('anna', 'anna,USD'), ['USD', 'EUR']).players).toEqual([
    { playerID: 'anna', currency: 'USD' },
    { playerID: 'ben', currency: 'EUR' },
    { playerID: 'carl', currency: 'USD' },
    { playerID: 'dora', currency: 'USD' },
  ]);
  expect(readPlayers('anna\nben', ['USD']).players.map(({ currency }) => currency)).toEqual(['USD', 'USD']);
});

it('counts a player who appears twice once', () => {
  expect(readPlayers('anna\nanna\nanna,usd', ['USD']).players).toEqual([{ playerID: 'anna', currency: 'USD' }]);
});

it.each([
  ['anna', ['USD', 'EUR'], 'Line 1: name a currency after the player: USD or EUR'],
  ['anna\nben,JPY', ['USD'], 'Line 2: the campaign has no bet in JPY'],
  [',USD', ['USD'], 'Line 1: the player is missing'],
])('names the first line that cannot be read: %j', (text, currencies, issue) => {
  expect(readPlayers(text, currencies)).toEqual({ players: [], issue });
});

it('splits a long list into parts', () => {
  expect(inParts([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
});
