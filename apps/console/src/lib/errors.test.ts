import { expect, it } from 'vitest';
import { AwayError, ConflictError, errorOf, RefusedError, SignedOutError } from './errors.ts';

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
