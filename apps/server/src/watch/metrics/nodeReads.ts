import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../../store/database/database.ts';
import type { ChainState } from '../audit/chainWatch.ts';
import { registerDatabaseMetrics } from './databaseMetrics.ts';
import type { DatabaseReads } from './databaseReading.ts';

const MS_PER_SECOND = 1_000;

/** One process of a node has these for the metrics, beside the database. */
export type NodeReads = Omit<DatabaseReads, 'db'> & {
  /** The folder that the node keeps on its machine. */
  dataFolder?: string;
  /** It is there when the node itself verifies the log of significant events. */
  eventChain?: (() => ChainState) | undefined;
};

/**
 * Adds the metrics that one process of a node reads for all: values of the whole database or
 * machine.
 */
export function registerNodeReads(
  registry: Registry,
  { dataFolder, eventChain, ...reads }: NodeReads & { db: Database },
): void {
  registerDatabaseMetrics(registry, reads);
  if (eventChain !== undefined) registerEventChain(registry, eventChain);
  if (dataFolder !== undefined) registerDataFolder(registry, dataFolder);
}

/** Adds the results of the node's own verification of the log of significant events. */
function registerEventChain(registry: Registry, state: () => ChainState): void {
  new Gauge({
    name: 'roundhouse_event_chain_verified',
    help: 'Is 1 when the log of significant events is whole, 0 since an issue was found. Missing until the node has verified it.',
    aggregator: 'max',
    registers: [registry],
    collect() {
      const { isVerified } = state();
      if (isVerified === undefined) this.remove();
      else this.set(isVerified ? 1 : 0);
    },
  });
  new Gauge({
    name: 'roundhouse_event_chain_checked_timestamp_seconds',
    help: 'Time at which the node last finished verifying the log of significant events, in seconds since 1970.',
    aggregator: 'max',
    registers: [registry],
    collect() {
      const { checkedAt } = state();
      if (checkedAt === undefined) this.remove();
      else this.set(checkedAt.getTime() / MS_PER_SECOND);
    },
  });
}

/** Adds the space of the file system that has the data folder of the node. */
function registerDataFolder(registry: Registry, folder: string): void {
  const add = (name: string, help: string, bytesOf: (blocks: { bavail: number; blocks: number }) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      aggregator: 'max',
      async collect() {
        const found = await statfs(folder).catch(() => undefined);
        if (found === undefined) this.remove();
        else this.set(bytesOf(found) * found.bsize);
      },
    });
  add(
    'roundhouse_data_folder_available_bytes',
    'Space left for the node in the file system of its data folder, in bytes.',
    ({ bavail }) => bavail,
  );
  add(
    'roundhouse_data_folder_size_bytes',
    'Size of the file system of the data folder, in bytes.',
    ({ blocks }) => blocks,
  );
}
