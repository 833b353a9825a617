import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveParent } from '../child.ts';
import { CURRENCY } from '../workload.ts';

export type WalletsJob = { task: 'start' } | { task: 'hang' } | { task: 'release' };

/** Base URLs of the wallets of two operators: one that answers at once, one whose debits hang when it is told to. */
export type WalletsResult = { quickUrl: string; hangingUrl: string };

const BALANCE = 1_000_000_000_000;
const waiting = new Set<ServerResponse>();
let hangs = false;
let result: WalletsResult | undefined;

/** The sessionID names the player. It keeps no books: what is measured here is who waits for whom. */
function answerTo(path: string, body: string): object {
  if (path !== '/authenticate') return { balance: BALANCE };
  return { playerID: JSON.parse(body).sessionID, currency: CURRENCY, balance: BALANCE };
}

async function startWallet(mayHang: boolean) {
  const server = createServer(async (req, res) => {
    const body = Buffer.concat(await req.toArray()).toString();
    if (mayHang && hangs && req.url === '/debit') return void waiting.add(res);
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answerTo(req.url ?? '', body)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const wallets = Promise.all([startWallet(false), startWallet(true)]);

serveParent<WalletsJob, WalletsResult>(
  async ({ task }) => {
    const [quick, hanging] = await wallets;
    result ??= { quickUrl: quick.url, hangingUrl: hanging.url };
    hangs = task === 'hang';
    if (task === 'release') for (const res of waiting) res.destroy();
    return result;
  },
  {
    close: async () => {
      for (const { server } of await wallets) {
        server.close();
        server.closeAllConnections();
      }
    },
  },
);
