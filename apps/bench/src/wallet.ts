import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { CURRENCY } from './benchGame.ts';
import { serveParent } from './child.ts';

/** The wallet waits delayMs before each response. */
export type WalletJob = { delayMs: number };

/** The balance, in micros, is enough for every bet of a long run. */
const OPENING_BALANCE = 1_000_000_000_000;
const KEEP_ALIVE_MS = 60_000;

/** A request of the server may hold these. */
type Body = {
  sessionID: string;
  playerID: string;
  transactionID: string;
  debitTransactionID: string;
  amount: number;
  rounds: readonly { transactionID: string; debitTransactionID: string }[];
};

const balances = new Map<string, number>();
/** Maps each accepted debit to what it took, 0 when it was rolled back. */
const debits = new Map<string, number>();
/** Holds credits and rollbacks that were done, and debits whose rollback came first. */
const done = new Set<string>();

/**
 * This operator's wallet costs as little as possible: it works in memory and checks no signatures.
 * A transactionID moves money once. The sessionID is the player.
 */
const ROUTES: Readonly<Record<string, (body: Body) => object>> = {
  '/authenticate': ({ sessionID }) => ({ playerID: sessionID, currency: CURRENCY, balance: balanceOf(sessionID) }),
  '/balance': ({ playerID }) => ({ balance: balanceOf(playerID) }),
  '/debit': ({ playerID, transactionID, amount }) => {
    if (done.has(transactionID)) return { error: 'ERR_VAL' };
    if (!debits.has(transactionID)) {
      if (balanceOf(playerID) < amount) return { error: 'ERR_IPB' };
      debits.set(transactionID, amount);
      balances.set(playerID, balanceOf(playerID) - amount);
    }
    return { balance: balanceOf(playerID) };
  },
  '/credit': ({ playerID, transactionID, debitTransactionID, amount }) => {
    if (!debits.has(debitTransactionID)) return { error: 'ERR_BNF' };
    if (!done.has(transactionID)) balances.set(playerID, balanceOf(playerID) + amount);
    done.add(transactionID);
    return { balance: balanceOf(playerID) };
  },
  '/close-rounds': ({ rounds }) => ({
    results: rounds.map(({ transactionID, debitTransactionID }) => {
      if (!debits.has(debitTransactionID)) return { transactionID, error: 'ERR_BNF' };
      done.add(transactionID);
      return { transactionID };
    }),
  }),
  '/rollback': ({ playerID, debitTransactionID }) => {
    const amount = debits.get(debitTransactionID);
    done.add(debitTransactionID);
    if (amount === undefined) return { error: 'ERR_BNF' };
    debits.set(debitTransactionID, 0);
    balances.set(playerID, balanceOf(playerID) + amount);
    return { balance: balanceOf(playerID) };
  },
};

function balanceOf(playerID: string): number {
  return balances.get(playerID) ?? OPENING_BALANCE;
}

serveParent<WalletJob, { url: string }>(async ({ delayMs }) => {
  const server = createServer((req, res) => {
    let text = '';
    req.setEncoding('utf8');
    req.on('data', (chunk: string) => {
      text += chunk;
    });
    req.on('end', async () => {
      const answer = ROUTES[req.url ?? '']?.(JSON.parse(text)) ?? { error: 'ERR_VAL' };
      if (delayMs > 0) await wait(delayMs);
      const json = JSON.stringify(answer);
      const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) };
      res.writeHead('error' in answer ? 400 : 200, headers).end(json);
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
});
