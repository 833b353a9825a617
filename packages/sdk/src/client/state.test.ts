import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ClientState } from './clientTypes.ts';
import { StateStore } from './state.ts';

const balance = (amount: number) => ({ amount, currency: 'USD' as const });

afterEach(() => vi.unstubAllGlobals());

describe('the state', () => {
  it('may take a bet only when it is known, at rest and without an active round', () => {
    const store = new StateStore();
    const config = {} as NonNullable<ClientState['config']>;
    const round = {} as NonNullable<ClientState['round']>;
    expect(store.state.canPlay).toBe(false);
    store.update({ needsAuthenticate: false });
    expect(store.state.canPlay).toBe(false);
    store.update({ config });
    expect(store.state.canPlay).toBe(true);
    for (const change of [{ pending: 'play' as const }, { activeRound: round }, { needsAuthenticate: true }]) {
      const before = store.state;
      store.update(change);
      expect(store.state.canPlay).toBe(false);
      store.update({ pending: before.pending, activeRound: undefined, needsAuthenticate: false });
      expect(store.state.canPlay).toBe(true);
    }
  });

  it('tells nothing when nothing changes', () => {
    const store = new StateStore();
    const told = vi.fn();
    store.subscribe(told);
    store.update({ netPositionMicros: 0, needsAuthenticate: true });
    expect(told).not.toHaveBeenCalled();
  });

  it('tells each listener the newest state last, also when a listener causes a change', () => {
    const store = new StateStore();
    const told: (number | undefined)[][] = [[], []];
    store.subscribe((state) => {
      told[0]?.push(state.balance?.amount);
      if (state.balance?.amount === 1) store.update({ balance: balance(2) });
    });
    store.subscribe((state) => void told[1]?.push(state.balance?.amount));
    store.update({ balance: balance(1) });
    expect(told).toEqual([[1, 2], [2]]);
  });

  it('reports what a listener throws, as the page reports its own errors, and tells the others', () => {
    const report = vi.fn();
    vi.stubGlobal('reportError', report);
    const store = new StateStore();
    const told = vi.fn();
    const broken = new Error('broken');
    store.subscribe(() => {
      throw broken;
    });
    store.subscribe(told);
    store.update({ balance: balance(1) });
    expect(report.mock.calls).toEqual([[broken]]);
    expect(told).toHaveBeenCalledWith(store.state);
  });

  it('lets the same listener subscribe twice, and leave one at a time', () => {
    const store = new StateStore();
    const told = vi.fn();
    const leave = store.subscribe(told);
    store.subscribe(told);
    store.update({ balance: balance(1) });
    leave();
    store.update({ balance: balance(2) });
    expect(told).toHaveBeenCalledTimes(3);
  });
});
