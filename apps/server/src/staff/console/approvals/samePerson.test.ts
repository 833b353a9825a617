import { describe, expect, it } from 'vitest';
import { mayBeOnePerson } from './samePerson.ts';

const TIES = [
  { user: 'puppet', by: 'ann' },
  { user: 'second puppet', by: 'puppet' },
  { user: 'other puppet', by: 'ann' },
  { user: 'new', by: 'ben' },
];

describe('two users count as one person', () => {
  it.each([
    ['one user', 'ann', 'ann', true],
    ['a user and who has added them', 'ann', 'puppet', true],
    ['the same the other way round', 'puppet', 'ann', true],
    ['through a user in between', 'ann', 'second puppet', true],
    ['two users of one person', 'second puppet', 'other puppet', true],
    ['but not two administrators', 'ann', 'ben', false],
    ['nor a user and somebody who has not added them', 'puppet', 'ben', false],
    ['nor users of two persons', 'puppet', 'new', false],
  ])('%s', (_name, one, other, expected) => {
    expect(mayBeOnePerson(TIES, [one, other])).toBe(expected);
  });

  it('also when they have made links for one another', () => {
    const ties = [
      { user: 'ann', by: 'ben' },
      { user: 'ben', by: 'ann' },
    ];
    expect(mayBeOnePerson(ties, ['ann', 'ben'])).toBe(true);
    expect(mayBeOnePerson(ties, ['ann', 'eve'])).toBe(false);
  });
});
