import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../../dist/ledger/generated/client.js';
import { serveParent } from '../child.ts';
import { createNaiveApp } from '../naive/app.ts';

export type NaiveJob = { databaseUrl: string; connections: number };

let close = async () => {};

serveParent<NaiveJob, { url: string }>(
  async ({ databaseUrl, connections }) => {
    // With no limit on the wait for a connection: many callers at once are to be slow here, not refused.
    const db = new PrismaClient({ adapter: new PrismaPg({ connectionString: databaseUrl, max: connections }) });
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
