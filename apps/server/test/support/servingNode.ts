import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { loadCatalogue } from '../../src/games/loadCatalogue.ts';
import { startServer } from '../../src/server.ts';
import { type CheckedServer, checkedClient } from './checkedServer.ts';
import { OPERATOR } from './testServer.ts';

export type ServingNode = Awaited<ReturnType<typeof startServing>>;

/** Where a node keeps its indexed books. */
export async function createStoreFolder() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-store-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** A node on the same database that serves other games. */
export async function startServing(
  { db }: Pick<CheckedServer, 'db'>,
  { folders, storeFolder, local = true }: { folders: readonly string[]; storeFolder: string; local?: boolean },
) {
  const loaded = await loadCatalogue({ db, folders, storeFolder, warn: () => {} });
  if (!loaded.ok) throw new Error(loaded.issues.join('\n'));
  const { catalogue } = loaded;
  const node = await startServer({
    db,
    catalogue,
    log: pino({ level: 'silent' }),
    host: '127.0.0.1',
    port: 0,
    ...(local && { local: { operatorCode: OPERATOR } }),
  });
  return {
    url: node.url,
    ...checkedClient(node.url),
    async close() {
      await node.close();
      await catalogue.close();
    },
  };
}

/** The same for folders that were written for the test; `close` removes them. */
export async function serveWritten(
  server: Pick<CheckedServer, 'db'>,
  written: readonly { folder: string; remove: () => Promise<void> }[],
  { local = true } = {},
): Promise<ServingNode> {
  const store = await createStoreFolder();
  const folders = written.map(({ folder }) => folder);
  const node = await startServing(server, { folders, storeFolder: store.folder, local });
  return {
    ...node,
    async close() {
      await node.close();
      await Promise.all([store, ...written].map(({ remove }) => remove()));
    },
  };
}
