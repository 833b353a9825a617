import { describe, expect, it } from 'vitest';
import { changesOf, readObject, valuesOf } from './operatorForm.ts';

const NEW = valuesOf(undefined);

describe('the settings that a form sends', () => {
  it('are those that differ', () => {
    expect(changesOf(NEW, NEW)).toEqual({ ok: true, settings: {} });
    const after = {
      ...NEW,
      name: 'Acme',
      allowedCountries: 'FI, SE',
      walletUrl: 'https://w',
      completeRoundsAfterHours: 24,
    };
    expect(changesOf(NEW, after)).toEqual({
      ok: true,
      settings: { name: 'Acme', allowedCountries: ['FI', 'SE'], walletUrl: 'https://w', completeRoundsAfterHours: 24 },
    });
  });

  it('are null where a field was emptied', () => {
    const before = { ...NEW, walletUrl: 'https://w', defaultGame: 'lines', completeRoundsAfterHours: 24 };
    expect(changesOf(before, NEW)).toEqual({
      ok: true,
      settings: { walletUrl: null, defaultGame: null, completeRoundsAfterHours: null },
    });
  });

  it('name the dialect with its settings, which must be an object', () => {
    const after = { ...NEW, dialectSettings: '{"secret":"s"}' };
    expect(changesOf(NEW, after)).toEqual({
      ok: true,
      settings: { dialectSettings: { secret: 's' }, dialect: 'roundhouse' },
    });
    for (const text of ['[]', '1', 'null', '{']) expect(readObject(text)).toBeNull();
    expect(changesOf(NEW, { ...NEW, dialectSettings: '{' }).ok).toBe(false);
  });
});
