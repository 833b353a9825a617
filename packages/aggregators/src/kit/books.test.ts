import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Move, openBooks } from './books.ts';

const PLAYERS = ['ann', 'bob'];
const OPENING = 100n;

const moves = fc.array(
  fc.record({
    id: fc.constantFrom('1', '2', '3', '4', '5', '6', '7', '8'),
    kind: fc.constantFrom('bet', 'win', 'rollback'),
    player: fc.constantFrom(...PLAYERS),
    currency: fc.constantFrom('EUR', 'USD'),
    amount: fc.bigInt({ min: 0n, max: 80n }),
    round: fc.constantFrom('10', '11'),
  }),
) as fc.Arbitrary<Move[]>;

function opened() {
  const books = openBooks();
  for (const player of PLAYERS) for (const currency of ['EUR', 'USD']) books.open(player, currency, OPENING);
  return books;
}

const BET: Move = { id: 'a', kind: 'bet', player: 'ann', currency: 'EUR', amount: 30n, round: '1' };

describe('books', () => {
  it('balance after any moves, and a repeated one moves nothing', () => {
    fc.assert(
      fc.property(moves, (all) => {
        const books = opened();
        for (const move of all) {
          if (books.find(move.id) !== undefined) continue;
          const outcome = books.move(move);
          const accounts = books.accounts();
          if (outcome === 'moved') expect(books.move(move)).toBe('moved');
          expect(books.accounts()).toEqual(accounts);
        }
        books.prove();
        const total = books.accounts().reduce((sum, { balance }) => sum + balance, 0n);
        const gained = books.entries().reduce((sum, { kind, amount }) => sum + (kind === 'bet' ? -amount : amount), 0n);
        expect(total).toBe(OPENING * 4n + gained);
      }),
    );
  });

  it('a bet above the balance moves nothing and keeps no entry', () => {
    const books = opened();
    expect(books.move({ ...BET, amount: OPENING + 1n })).toBe('insufficient');
    expect([books.balance('ann', 'EUR'), books.entries()]).toEqual([OPENING, []]);
  });

  it('a rollback of a win takes money, and never more than there is', () => {
    const books = opened();
    expect(books.move({ ...BET, kind: 'rollback', amount: -OPENING - 1n })).toBe('insufficient');
    expect(books.move({ ...BET, kind: 'rollback', amount: -OPENING })).toBe('moved');
    expect(books.balance('ann', 'EUR')).toBe(0n);
    books.prove();
  });

  it('an account opens once', () => {
    const books = opened();
    books.move(BET);
    books.open('ann', 'EUR', 999n);
    expect(books.balance('ann', 'EUR')).toBe(70n);
    books.prove();
  });

  it.each([
    ['an id with other content', { ...BET, amount: 31n }],
    ['an unknown player', { ...BET, id: 'b', player: 'eve' }],
    ['a bet below zero', { ...BET, id: 'b', amount: -1n }],
  ])('%s is a mistake of the aggregator', (_what, move) => {
    const books = opened();
    books.move(BET);
    expect(() => books.move(move)).toThrow();
    books.prove();
  });
});
