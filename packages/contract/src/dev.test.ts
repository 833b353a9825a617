import { describe, expect, it } from 'vitest';
import { forceNextRequestSchema, OUTCOME_KINDS } from './dev.ts';
import { FAULT_KINDS, faultPlanSchema, MAX_FAULT_DELAY_MS } from './faults.ts';

describe('what is forced', () => {
  const refusal = { path: ['bookID'], message: 'needs exactly one of bookID and kind' };
  const read = (more: object) => forceNextRequestSchema.safeParse({ sessionID: 's', ...more });

  it.each(OUTCOME_KINDS)('may be any book of the kind %s', (kind) => {
    expect(read({ kind }).data).toEqual({ sessionID: 's', kind });
  });

  it('may be one book, its id as a number or in digits', () => {
    expect(read({ bookID: 0 }).data?.bookID).toBe(0);
    expect(read({ bookID: '12' }).data?.bookID).toBe(12);
  });

  it.each([{}, { bookID: 1, kind: 'loss' }])('is never %j', (more) => {
    expect(read(more).error?.issues).toMatchObject([refusal]);
  });

  it.each([{ kind: 'LOSS' }, { kind: '' }, { kind: null }])('is never %j', (more) => {
    expect(read(more).success).toBe(false);
  });
});

const isPlan = (plan: unknown) => faultPlanSchema.safeParse(plan).success;
const isFault = (fault: unknown) => isPlan({ faults: [fault] });

describe('a fault plan', () => {
  it.each(FAULT_KINDS)('knows the kind %s', (kind) => {
    expect(isFault({ kind, next: 1, ...(kind === 'delay' && { delayMs: 1 }) })).toBe(true);
  });

  it('is read as it was written, without unknown fields', () => {
    const plan = {
      faults: [
        { kind: 'error', path: '/wallet/play', error: 'ERR_GEN', afterWork: true, next: 1_000_000 },
        { kind: 'delay', delayMs: MAX_FAULT_DELAY_MS, share: 1 },
      ],
      seed: 0,
    };
    expect(faultPlanSchema.parse({ ...plan, note: 'x' })).toEqual(plan);
    expect(faultPlanSchema.parse({ faults: [] })).toEqual({ faults: [] });
  });

  it.each([
    ['no kind', { next: 1 }],
    ['another kind', { kind: 'fire', next: 1 }],
    ['neither next nor share', { kind: 'lost_request' }],
    ['both', { kind: 'lost_request', next: 1, share: 1 }],
    ['next of 0', { kind: 'lost_request', next: 0 }],
    ['half a request', { kind: 'lost_request', next: 0.5 }],
    ['a text for a number', { kind: 'lost_request', next: '1' }],
    ['no share at all', { kind: 'lost_request', share: 0 }],
    ['a negative share', { kind: 'lost_request', share: -0.1 }],
    ['more than every request', { kind: 'lost_request', share: 1.01 }],
    ['a delay of no length', { kind: 'delay', next: 1 }],
    ['a delay of 0', { kind: 'delay', delayMs: 0, next: 1 }],
    ['a delay that is too long', { kind: 'delay', delayMs: MAX_FAULT_DELAY_MS + 1, next: 1 }],
    ['a length of what is no delay', { kind: 'lost_request', delayMs: 1, next: 1 }],
    ['a code of what is no error', { kind: 'malformed_response', error: 'ERR_GEN', next: 1 }],
    ['afterWork of what is no error', { kind: 'lost_request', afterWork: false, next: 1 }],
    ['what is no code', { kind: 'error', error: 'err_gen', next: 1 }],
    ['a path with a query', { kind: 'lost_request', path: '/debit?x', next: 1 }],
    ['an address for a path', { kind: 'lost_request', path: 'http://wallet/debit', next: 1 }],
  ])('has no fault with %s', (_what, fault) => {
    expect(isFault(fault)).toBe(false);
  });

  it.each([undefined, null, [], {}, { faults: {} }, { faults: [], seed: -1 }, { faults: [], seed: 0.5 }])(
    'is not %j',
    (plan) => {
      expect(isPlan(plan)).toBe(false);
    },
  );
});
