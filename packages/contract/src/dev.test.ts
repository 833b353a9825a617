import { describe, expect, it } from 'vitest';
import { forceNextRequestSchema, OUTCOME_KINDS } from './dev.ts';

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
