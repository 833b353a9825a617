import { setTimeout as wait } from 'node:timers/promises';
import { CURRENCY } from './benchGame.ts';
import { serveParent } from './child.ts';
import { serveJson } from './jsonServer.ts';

/** delayMs: until each response. */
export type WalletJob = { delayMs: number };

/** Micros: enough for every bet of a long run. */
const OPENING_BALANCE = 1_000_000_000_000;

/** What a request of the server may hold. */
type Body = {
  sessionID: string;
  playerID: string;
  transactionID: string;
  debitTransactionID: string;
  amount: number;
  rounds: readonly { transactionID: string; debitTransactionID: string }[];
};

const balances = new Map<string, number>();
/** What each accepted debit took, 0 when it was rolled back. */
const debits = new Map<string, number>();
/** Credits and rollbacks that were done, and debits whose rollback came first. */
const done = new Set<string>();

/**
 * An operator's wallet that costs as little as possible: in memory, and it checks no signatures. A
 * transactionID moves money once. The sessionID is the player.
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
  const url = await serveJson<Body>(async (path, body) => {
    const answer = ROUTES[path]?.(body);
    if (delayMs > 0) await wait(delayMs);
    if (answer === undefined) return { status: 404, json: '{"error":"ERR_VAL"}' };
    return { status: 'error' in answer ? 400 : 200, json: JSON.stringify(answer) };
  });
  return { url };
});
