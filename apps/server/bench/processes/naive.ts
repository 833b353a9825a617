import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { openDatabase } from '../../dist/ledger/database.js';
import { serveParent } from '../child.ts';
import { createNaiveApp } from '../naive/app.ts';

export type NaiveJob = { databaseUrl: string; connections: number };

let close = async () => {};

serveParent<NaiveJob, { url: string }>(
  async ({ databaseUrl, connections }) => {
    const db = openDatabase({ url: databaseUrl, connections });
    const server = createNaiveApp(db).listen(0, '127.0.0.1');
    await once(server, 'listening');
    close = async () => {
      server.close();
      server.closeAllConnections();
      await db.$disconnect();
    };
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  },
  { close: () => close() },
);
