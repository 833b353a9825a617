import type { Fault } from '@roundhouse/contract';
import { describe, expect, it } from 'vitest';
import { type FaultDraft, NEW_FAULT, readFault, withFault, withoutFault } from './faults.ts';

const cut: Fault = { kind: 'lost_request', path: '/debit', next: 3 };
const late: Fault = { kind: 'delay', delayMs: 500, share: 0.5 };

describe('readFault', () => {
  const read = (fields: Partial<FaultDraft>) => readFault({ ...NEW_FAULT, whose: 'all', ...fields }, 'ann');

  it.each<[Partial<FaultDraft>, Partial<Fault>]>([
    [{ kind: 'lost_request' }, { next: 1 }],
    [
      { kind: 'lost_request', whose: 'player' },
      { playerID: 'ann', next: 1 },
    ],
    [{ kind: 'malformed_response', extent: 'share', sharePercent: '12.5' }, { share: 0.125 }],
    [
      { kind: 'duplicate', path: '/debit', next: '4' },
      { path: '/debit', next: 4 },
    ],
    [
      { kind: 'delay', delayMs: '600000' },
      { delayMs: 600_000, next: 1 },
    ],
    [
      { kind: 'error', error: 'ERR_UE' },
      { error: 'ERR_UE', next: 1 },
    ],
    [
      { kind: 'error', error: '', afterWork: true },
      { afterWork: true, next: 1 },
    ],
    [{ kind: 'lost_request', error: 'ERR_UE', afterWork: true }, { next: 1 }],
    [{ kind: 'lost_request', delayMs: 'x', sharePercent: 'x' }, { next: 1 }],
  ])('reads the fields of its kind from %j', (fields, fault) => {
    expect(read(fields)).toEqual({ ok: true, fault: { kind: fields.kind, ...fault } });
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
});

describe('a plan', () => {
  it('keeps its seed and its order when a fault is added', () => {
    expect(withFault({ seed: 7, faults: [cut] }, late)).toEqual({ seed: 7, faults: [cut, late] });
  });

  const nine = { ...cut, next: 9 };
  it.each([
    ['the fault at its place', [cut, late], { place: 1, fault: late }, [cut]],
    [
      'a fault that has counted down and moved up',
      [{ ...cut, next: 1, seconds: 540 }, late],
      { place: 2, fault: cut },
      [late],
    ],
    ['the right one of two alike', [cut, late, nine], { place: 2, fault: nine }, [cut, late]],
    ['no other fault when it has run out', [late], { place: 0, fault: cut }, [late]],
    ['no fault with another share', [late], { place: 0, fault: { ...late, share: 0.25 } }, [late]],
  ])('loses %s', (_, faults, shown, left) => {
    expect(withoutFault({ seed: 7, faults }, shown)).toEqual({ seed: 7, faults: left });
  });
});
