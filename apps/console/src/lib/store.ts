import { useSyncExternalStore } from 'react';

/** Is a value that code outside of React sets and components show. */
export type Store<Value> = { get: () => Value; set: (value: Value) => void; use: () => Value };

/** Makes a store. A value that is set again as it is wakes no component. */
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
