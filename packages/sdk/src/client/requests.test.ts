import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadRequestError, MaintenanceError, NetworkError, ServerError } from '../errors.ts';
import { retryWaitMs, shouldRetry } from './requests.ts';

describe('shouldRetry', () => {
  const first = { retries: 0, maxRetries: 3 };

  it.each([
    ['a network error', new NetworkError('', { retryable: true }), true],
    ['a server-error error', new ServerError('', { retryable: true }), true],
    ['a response that will be the same again', new ServerError('', { retryable: false }), false],
    ['maintenance, which lasts', new MaintenanceError('', { retryable: true }), false],
    ['a refusal', new BadRequestError(''), false],
    ['an error of the client itself', new TypeError(''), false],
  ])('%s: %s', (_, error, expected) => expect(shouldRetry(error, first)).toBe(expected));

  it('ends with the last retry', () => {
    const error = new NetworkError('', { retryable: true });
    const decisions = [0, 1, 2, 3].map((retries) => shouldRetry(error, { retries, maxRetries: 3 }));
    expect(decisions).toEqual([true, true, true, false]);
  });
});

describe('retryWaitMs', () => {
  it('doubles its ceiling up to the cap', () => {
    const waits = [0, 1, 2, 3, 4, 5, 2000].map((retries) =>
      retryWaitMs(retries, { baseMs: 300, capMs: 4000, random: () => 1 }),
    );
    expect(waits).toEqual([300, 600, 1200, 2400, 4000, 4000, 4000]);
  });

  it('is what the server requests, and a drawn time more', () => {
    const backoff = { baseMs: 300, capMs: 4000, random: () => 0.5 };
    expect(retryWaitMs(0, { ...backoff, retryAfterMs: 2000 })).toBe(2150);
    expect(retryWaitMs(0, { ...backoff, retryAfterMs: 3_600_000 })).toBe(4000);
  });

  it('is drawn from nothing to the ceiling', () => {
    const property = fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(20), (drawn, retries) => {
      const backoff = { baseMs: 300, capMs: 4000, random: () => drawn };
      const ceiling = retryWaitMs(retries, { ...backoff, random: () => 1 });
      expect(retryWaitMs(retries, backoff)).toBe(drawn * ceiling);
    });
    fc.assert(property);
  });
});
