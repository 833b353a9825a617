import { expect, it } from 'vitest';
import { AwayError, ConflictError, errorOf, issuesAt, RefusedError, SignedOutError } from './errors.ts';

it('makes of each status the error that the page reacts to', () => {
  expect(errorOf(401, {})).toBeInstanceOf(SignedOutError);
  expect(errorOf(503, {})).toBeInstanceOf(AwayError);
  expect(errorOf(409, { message: 'm', by: 'user:b@x', at: '2026-11-27T10:00:00Z' })).toMatchObject({
    name: ConflictError.name,
    by: 'user:b@x',
    at: '2026-11-27T10:00:00Z',
  });
  expect(errorOf(403, { error: 'ERR_VAL', message: 'no right' })).toMatchObject({ status: 403, message: 'no right' });
});

it.each([null, 'text', 5, [], { message: 5 }])('has a message when the body is %j', (body) => {
  const error = errorOf(500, body);
  expect(error).toBeInstanceOf(RefusedError);
  expect(error.message).toContain('500');
});

const refusal = (fields: Record<string, string>) => errorOf(400, { message: 'whole', fields });

it.each<[string, Record<string, string>, Record<string, string>, string | undefined]>([
  ['a field', { email: 'a' }, { email: 'a' }, undefined],
  ['the last name of a path', { 'limits.0.maxBet': 'b' }, { maxBet: 'b' }, undefined],
  ['names below a field', { 'bets.USD': 'c' }, { bets: 'USD: c' }, undefined],
  ['a field and another one', { email: 'a', other: 'd' }, { email: 'a' }, 'other: d'],
  ['no field of the form', { other: 'd' }, {}, 'whole'],
  ['no field', {}, {}, 'whole'],
])('an issue is shown at its field, and else at the top: %s', (_name, fields, at, rest) => {
  const issues = issuesAt(['email', 'limits', 'maxBet', 'bets'], refusal(fields));
  expect([issues.at, issues.rest?.message]).toEqual([at, rest]);
});

it('a conflict names its field too', () => {
  const taken = errorOf(409, { message: 'taken', fields: { email: 'taken' } });
  expect(issuesAt(['email'], taken)).toEqual({ at: { email: 'taken' }, rest: undefined });
});
