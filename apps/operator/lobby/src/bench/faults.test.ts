import type { Fault } from '@roundhouse/contract';
import { describe, expect, it } from 'vitest';
import { type FaultDraft, NEW_FAULT, readFault, withFault, withoutFault } from './faults.ts';

const cut: Fault = { kind: 'lost_request', path: '/debit', next: 3 };
const late: Fault = { kind: 'delay', delayMs: 500, share: 0.5 };

describe('readFault', () => {
  const read = (fields: Partial<FaultDraft>) => readFault({ ...NEW_FAULT, ...fields });

  it.each<[string, Partial<FaultDraft>, Fault]>([
    ['the next call', { kind: 'lost_request' }, { kind: 'lost_request', next: 1 }],
    [
      'a share',
      { kind: 'malformed_response', extent: 'share', sharePercent: '12.5' },
      { kind: 'malformed_response', share: 0.125 },
    ],
    ['a call', { kind: 'duplicate', path: '/debit', next: '4' }, { kind: 'duplicate', path: '/debit', next: 4 }],
    ['a delay', { kind: 'delay', delayMs: '600000' }, { kind: 'delay', delayMs: 600_000, next: 1 }],
    ['a code', { kind: 'error', error: 'ERR_UE' }, { kind: 'error', error: 'ERR_UE', next: 1 }],
    [
      'no code, after the work',
      { kind: 'error', error: '', afterWork: true },
      { kind: 'error', afterWork: true, next: 1 },
    ],
    [
      'nothing of another kind',
      { kind: 'lost_request', error: 'ERR_UE', afterWork: true },
      { kind: 'lost_request', next: 1 },
    ],
  ])('reads %s', (_, fields, fault) => {
    expect(read(fields)).toEqual({ ok: true, fault });
  });

  it.each<[Partial<FaultDraft>, string]>([
    [{ kind: 'delay', delayMs: '0' }, 'delayMs'],
    [{ kind: 'delay', delayMs: '600001' }, 'delayMs'],
    [{ next: '' }, 'next'],
    [{ next: '1.5' }, 'next'],
    [{ next: '1000001' }, 'next'],
    [{ extent: 'share', sharePercent: '0' }, 'sharePercent'],
    [{ extent: 'share', sharePercent: '101' }, 'sharePercent'],
  ])('names the field of %j', (fields, issue) => {
    expect(read(fields)).toEqual({ ok: false, issue });
  });

  it('minds no field that is not asked for', () => {
    expect(read({ kind: 'lost_request', delayMs: 'x', sharePercent: 'x' }).ok).toBe(true);
  });
});

describe('a plan', () => {
  it('keeps its seed and its order when a fault is added', () => {
    expect(withFault({ seed: 7, faults: [cut] }, late)).toEqual({ seed: 7, faults: [cut, late] });
  });

  it('loses the fault at its place', () => {
    expect(withoutFault({ seed: 7, faults: [cut, late] }, { place: 1, fault: late })).toEqual({
      seed: 7,
      faults: [cut],
    });
  });

  it('loses a fault that has counted down and moved up meanwhile', () => {
    const left = { ...cut, next: 1 };
    expect(withoutFault({ faults: [left, late] }, { place: 2, fault: cut })).toEqual({ faults: [late] });
  });

  it('of two alike loses the one that was meant', () => {
    const faults = [cut, late, { ...cut, next: 9 }];
    expect(withoutFault({ faults }, { place: 2, fault: { ...cut, next: 9 } })).toEqual({ faults: [cut, late] });
  });

  it('stays when the fault has run out', () => {
    const plan = { faults: [late] };
    expect(withoutFault(plan, { place: 0, fault: cut })).toBe(plan);
    expect(withoutFault(plan, { place: 0, fault: { ...late, share: 0.25 } })).toBe(plan);
  });
});
