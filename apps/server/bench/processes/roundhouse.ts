import { createLog } from '../../dist/cli/log.js';
import { loadCatalogue } from '../../dist/games/loadCatalogue.js';
import { openDatabase } from '../../dist/ledger/database.js';
import { startServer } from '../../dist/server.js';
import { serveParent } from '../child.ts';

export type ServerJob = { databaseUrl: string; gameFolder: string; storeFolder: string };

let close = async () => {};

/** The server as `roundhouse serve` starts it, logging each request. */
serveParent<ServerJob, { url: string }>(
  async ({ databaseUrl, gameFolder, storeFolder }) => {
    const db = openDatabase({ url: databaseUrl });
    const loaded = await loadCatalogue({ db, folders: [gameFolder], storeFolder, warn: console.error });
    if (!loaded.ok) throw new Error(loaded.faults.join('\n'));
    const { catalogue } = loaded;
    const log = createLog({ level: 'info', pretty: false });
    const server = await startServer({ db, catalogue, log, host: '127.0.0.1', port: 0 });
    close = async () => {
      await server.close();
      await catalogue.close();
      await db.$disconnect();
    };
    return { url: server.url };
  },
  { close: () => close() },
);
