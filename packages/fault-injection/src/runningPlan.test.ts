import { FAULT_KINDS, type Fault, faultPlanSchema } from '@roundhouse/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runPlan } from './runningPlan.ts';

const paths = fc.constantFrom('/debit', '/credit');
const when = fc.oneof(
  fc.record({ next: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ share: fc.double({ min: 0.001, max: 1, noNaN: true }) }),
);
const fault = fc
  .tuple(
    fc.record({ kind: fc.constantFrom('lost_request', 'malformed_response', 'duplicate') }),
    fc.option(paths, { nil: undefined }),
    when,
  )
  .map(([kind, path, often]): Fault => ({ ...kind, ...(path && { path }), ...often }) as Fault);
const plans = fc.record({ faults: fc.array(fault, { maxLength: 6 }), seed: fc.nat() });
const calls = fc.array(paths, { maxLength: 60 });

function met(plan: { faults: Fault[]; seed?: number }, to: readonly string[]): (string | undefined)[] {
  const running = runPlan(plan);
  return to.map((path) => running.take(path)?.kind);
}

describe('a plan with a seed', () => {
  it('meets the same calls of the same sequence, again and again', () => {
    fc.assert(
      fc.property(plans, calls, (plan, to) => {
        expect(met(plan, to)).toEqual(met(plan, to));
      }),
    );
  });

  it('meets others with another seed', () => {
    const to = Array.from({ length: 200 }, () => '/debit');
    const plan = (seed: number) => ({ faults: [{ kind: 'lost_request' as const, share: 0.5 }], seed });
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        expect(met(plan(seed), to)).not.toEqual(met(plan(seed + 1), to));
      }),
    );
  });

  it('has the shares it has on every machine', () => {
    const kinds = met(
      { faults: [{ kind: 'lost_request', share: 0.5 }], seed: 1 },
      Array.from({ length: 12 }, () => '/debit'),
    );
    expect(kinds.map((kind) => (kind === undefined ? '-' : 'x')).join('')).toMatchInlineSnapshot(`"x-x---xxx-xx"`);
  });
});

it('a fault ends after its seconds, and what is left of them is rounded up', () => {
  let nowMs = 5_000;
  const running = runPlan({ faults: [{ kind: 'duplicate', share: 1, seconds: 2 }] }, () => nowMs);
  expect(running.left().faults).toMatchObject([{ seconds: 2 }]);
  nowMs += 1_001;
  expect(running.left().faults).toMatchObject([{ seconds: 1 }]);
  nowMs += 998;
  expect(running.take('/debit')?.kind).toBe('duplicate');
  nowMs += 1;
  expect([running.left().faults, running.take('/debit')]).toEqual([[], undefined]);
});

it('what is left of a plan is a plan, whatever has been taken', () => {
  fc.assert(
    fc.property(plans, calls, (plan, to) => {
      const running = runPlan(plan);
      for (const path of to) running.take(path);
      expect(faultPlanSchema.parse(running.left())).toEqual(running.left());
    }),
  );
});

it('the next N calls to its path are met, and no other', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), calls, (next, to) => {
      const kinds = met({ faults: [{ kind: 'lost_request', path: '/debit', next }] }, to);
      const debits = kinds.filter((_kind, place) => to[place] === '/debit');
      expect(kinds.filter((_kind, place) => to[place] !== '/debit').every((kind) => kind === undefined)).toBe(true);
      expect(debits).toEqual(debits.map((_kind, place) => (place < next ? 'lost_request' : undefined)));
    }),
  );
});

describe('a share', () => {
  const CALLS = 20_000;
  // It is five standard deviations of a share of 0.05 of CALLS calls.
  const TOLERANCE = 5 * Math.sqrt((0.05 * 0.95) / CALLS);
  const faults = FAULT_KINDS.map((kind): Fault => ({ kind, share: 0.05, ...(kind === 'delay' && { delayMs: 1 }) }));

  it.each([1, 2, 3])('is that of each fault, wherever it is in the plan (seed %i)', (seed) => {
    const running = runPlan({ faults, seed });
    const counts = new Map<string, number>();
    for (let call = 0; call < CALLS; call += 1) {
      const kind = running.take('/debit')?.kind ?? 'none';
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    for (const kind of FAULT_KINDS) {
      expect(Math.abs((counts.get(kind) ?? 0) / CALLS - 0.05), kind).toBeLessThan(TOLERANCE);
    }
  });

  it('of 1 is every call, with a seed and without', () => {
    const to = Array.from({ length: 500 }, () => '/credit');
    for (const seed of [{}, { seed: 3 }]) {
      expect(new Set(met({ faults: [{ kind: 'lost_request', share: 1 }], ...seed }, to))).toEqual(
        new Set(['lost_request']),
      );
    }
  });

  it('without a seed is not the same twice', () => {
    const to = Array.from({ length: 500 }, () => '/credit');
    const plan = { faults: [{ kind: 'lost_request' as const, share: 0.5 }] };
    expect(met(plan, to)).not.toEqual(met(plan, to));
  });
});
