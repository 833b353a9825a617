import { useSyncExternalStore } from 'react';

/** A value that code outside React sets and components show. */
export type Store<Value> = { get: () => Value; set: (value: Value) => void; use: () => Value };

/** Makes a store. Setting the same value again does not render components. */
export function createStore<Value>(first: Value): Store<Value> {
  let current = first;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };
  const get = () => current;
  return {
    get,
    set: (value) => {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}
