import type { LaunchPlay } from '@roundhouse/contract/light';
import type { KeyStorage } from './clientTypes.ts';

/**
 * Keeps in the page's memory what the storage does not take: it may be blocked (then even naming it throws), full, or not there at
 * all. A key that is in memory only does not outlive a reload, where authenticate still shows the round.
 */
export function createKeyStorage(storage: () => KeyStorage): KeyStorage {
  const memory = new Map<string, string>();
  return {
    getItem: (name) => memory.get(name) ?? attempt(() => storage().getItem(name)) ?? null,
    setItem(name, value) {
      memory.set(name, value);
      attempt(() => storage().setItem(name, value));
    },
    removeItem(name) {
      memory.delete(name);
      attempt(() => storage().removeItem(name));
    },
  };
}

/** Where a session's pending play is kept. The sessionID is a credential, so only a digest of it is part of the name. */
export function storageNameOf({ rgsUrl, sessionID }: Pick<LaunchPlay, 'rgsUrl' | 'sessionID'>): string {
  const text = `${rgsUrl} ${sessionID}`;
  return `roundhouse.play.${fnv1a(text, 0x811c9dc5)}${fnv1a(text, 0x050c5d1f)}`;
}

/** FNV-1a, 32 bits: `crypto.subtle` is there on https pages only, and 64 bits in two halves tell sessions apart well enough. */
function fnv1a(text: string, basis: number): string {
  let hash = basis;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash.toString(36);
}

function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
