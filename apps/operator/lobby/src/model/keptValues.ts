/** What the page remembers from one visit to the next. */
export type KeptValues = {
  read(name: string): unknown;
  write(name: string, value: unknown): void;
};

const PREFIX = 'roundhouse.lobby.';

/** Values in the browser's store. A browser that denies it only forgets: nothing here is needed to play. */
export function createKeptValues(openStore: () => Storage): KeptValues {
  return {
    read(name) {
      try {
        return JSON.parse(openStore().getItem(PREFIX + name) ?? 'null');
      } catch {
        return null;
      }
    },
    write(name, value) {
      try {
        openStore().setItem(PREFIX + name, JSON.stringify(value));
      } catch {
        // Denied or full.
      }
    },
  };
}
