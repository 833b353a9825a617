import { describe, expect, it } from 'vitest';
import { createKeyStorage, storageNameOf } from './pendingPlays.ts';

const blocked = (): never => {
  throw new DOMException('blocked', 'SecurityError');
};

describe('the storage', () => {
  it.each([
    ['cannot even be named', blocked],
    ['refuses each access', () => ({ getItem: blocked, setItem: blocked, removeItem: blocked })],
  ])('is memory when it %s', (_, storage) => {
    const keys = createKeyStorage(storage);
    expect(keys.getItem('a')).toBeNull();
    keys.setItem('a', '1');
    expect(keys.getItem('a')).toBe('1');
    keys.removeItem('a');
    expect(keys.getItem('a')).toBeNull();
  });

  it('keeps what was written when a full storage refuses the newer value', () => {
    const kept = new Map([['a', 'old']]);
    const full = { getItem: (name: string) => kept.get(name) ?? null, setItem: blocked, removeItem: blocked };
    const keys = createKeyStorage(() => full);
    expect(keys.getItem('a')).toBe('old');
    keys.setItem('a', 'new');
    expect(keys.getItem('a')).toBe('new');
  });
});

describe('the name of a session in the storage', () => {
  const session = { rgsUrl: 'https://rgs.example', sessionID: 'session-1' };

  it('is the same each time, and another for another session or server', () => {
    expect(storageNameOf({ ...session })).toBe(storageNameOf(session));
    const names = Array.from({ length: 20_000 }, (_, count) => storageNameOf({ ...session, sessionID: `s${count}` }));
    expect(new Set(names).size).toBe(20_000);
    expect(storageNameOf({ ...session, rgsUrl: 'https://other.example' })).not.toBe(storageNameOf(session));
  });

  it('does not tell the sessionID', () => {
    expect(storageNameOf(session)).toMatch(/^roundhouse\.play\.[0-9a-z]{1,14}$/);
  });
});
