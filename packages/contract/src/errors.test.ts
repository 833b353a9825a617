import { expect, it } from 'vitest';
import { ERROR_CODES, ERRORS, isErrorCode, REFUSAL_ORDER } from './errors.ts';

it('has the statuses and meanings of the protocol', () => {
  expect(ERROR_CODES.map((code) => [ERRORS[code].status, code, ERRORS[code].meaning])).toEqual([
    [400, 'ERR_VAL', 'Invalid request'],
    [400, 'ERR_IPB', 'Insufficient player balance'],
    [400, 'ERR_IS', 'Invalid session token or session timeout'],
    [400, 'ERR_ATE', 'Failed user authentication or token expired'],
    [400, 'ERR_GLE', 'Gambling limits exceeded'],
    [400, 'ERR_LOC', 'Invalid player location'],
    [500, 'ERR_GEN', 'General server error'],
    [500, 'ERR_MAINTENANCE', 'RGS under planned maintenance'],
  ]);
});

it('refuses with the first of several codes in this order', () => {
  expect(REFUSAL_ORDER).toEqual([
    { stage: 'maintenance', code: 'ERR_MAINTENANCE' },
    { stage: 'shape', code: 'ERR_VAL' },
    { stage: 'session', code: 'ERR_IS' },
    { stage: 'login', code: 'ERR_ATE' },
    { stage: 'location', code: 'ERR_LOC' },
    { stage: 'rules', code: 'ERR_VAL' },
    { stage: 'limits', code: 'ERR_GLE' },
    { stage: 'balance', code: 'ERR_IPB' },
    { stage: 'general', code: 'ERR_GEN' },
  ]);
});

it('gives every position once', () => {
  const positions = Object.values(ERRORS).flatMap(({ precedence }) => precedence.map(({ position }) => position));
  expect(positions.sort((left, right) => left - right)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it('lets a caller repeat what failed on the server, and nothing that was refused', () => {
  for (const code of ERROR_CODES) expect(ERRORS[code].retryable).toBe(ERRORS[code].status === 500);
});

it('knows its codes', () => {
  expect(isErrorCode('ERR_VAL')).toBe(true);
  for (const value of ['ERR_DUP', 'err_val', 'toString', '', null, 400]) expect(isErrorCode(value)).toBe(false);
});
