import type { Cell, Fleet } from '@roundhouse/fleet';
import { type CellClient, type CellClientDeps, createCellClient } from './cellClient.ts';

/** A request keeps the fleet that it began with. */
export type RoutedFleet = { fleet: Fleet; clientOf(cell: Cell): CellClient };

export type RouterFleet = {
  current(): RoutedFleet;
  /** Later requests go by this fleet. */
  replace(fleet: Fleet): void;
  /** The names of the cells that get no requests now, because the last ones have failed. */
  paused(): string[];
  close(): Promise<void>;
};

/** Keeps the fleet of the router and a client for each address of a cell. */
export function createRouterFleet(first: Fleet, deps: CellClientDeps): RouterFleet {
  let clients = new Map<string, CellClient>();
  let current: RoutedFleet;
  const closing = new Set<Promise<void>>();

  const replace = (fleet: Fleet): void => {
    const before = clients;
    const now = new Map<string, CellClient>();
    const keyOf = ({ name, url }: Cell) => `${name} ${url}`;
    for (const cell of fleet.cells) {
      now.set(keyOf(cell), before.get(keyOf(cell)) ?? createCellClient(cell, deps));
    }
    for (const [key, client] of before) {
      if (now.has(key)) continue;
      // It ends with its last response.
      const closed = client.close().finally(() => closing.delete(closed));
      closing.add(closed);
    }
    clients = now;
    current = { fleet, clientOf: (cell) => now.get(keyOf(cell)) as CellClient };
  };

  replace(first);
  return {
    current: () => current,
    replace,
    paused: () => current.fleet.cells.filter((cell) => current.clientOf(cell).isPaused()).map(({ name }) => name),
    async close() {
      await Promise.all([...clients.values()].map((client) => client.close()));
      await Promise.all(closing);
    },
  };
}
