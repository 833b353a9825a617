import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { EntryKind, StatementEntry } from '../src/api/apiTypes.ts';

const OPENING_BALANCE = 1_000_000_000;

type Account = { balance: number; entries: StatementEntry[]; listeners: Set<ServerResponse> };
type Transaction = { kind: EntryKind; amount: number; roundID?: string; gameID?: string };

export type FakeAccounts = ReturnType<typeof createFakeAccounts>;

/** Balances and statements in memory, by player and currency. */
export function createFakeAccounts() {
  const accounts = new Map<string, Account>();
  let lastID = 0;
  let lastRound = 1200;

  function move(account: Account, { kind, amount, roundID, gameID }: Transaction): void {
    lastID += 1;
    account.balance += amount;
    const entry: StatementEntry = {
      id: String(lastID),
      at: new Date().toISOString(),
      kind,
      amount,
      balanceAfter: account.balance,
      transactionID: randomUUID(),
      roundID: roundID ?? null,
      gameID: gameID ?? null,
    };
    account.entries.unshift(entry);
    const data = JSON.stringify({ entry, balance: account.balance });
    for (const listener of account.listeners) listener.write(`event: entry\ndata: ${data}\n\n`);
  }

  function accountOf(playerID: string, currency: string): Account {
    const key = JSON.stringify([playerID, currency]);
    const known = accounts.get(key);
    if (known) return known;
    const account: Account = { balance: 0, entries: [], listeners: new Set() };
    accounts.set(key, account);
    move(account, { kind: 'deposit', amount: OPENING_BALANCE });
    return account;
  }

  return {
    enter(name: unknown, currency: string) {
      const playerID = typeof name === 'string' ? name : `player-${1 + Math.floor(Math.random() * 9999)}`;
      return { playerID, balances: [{ currency, balance: accountOf(playerID, currency).balance }] };
    },
    page(playerID: string, currency: string, query: URLSearchParams) {
      const { balance, entries } = accountOf(playerID, currency);
      const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY);
      const limit = Number(query.get('limit') ?? 50);
      return { currency, balance, entries: entries.filter(({ id }) => Number(id) < before).slice(0, limit) };
    },
    setBalance(playerID: string, currency: string, amount: number) {
      const account = accountOf(playerID, currency);
      const change = amount - account.balance;
      if (change !== 0) move(account, { kind: change > 0 ? 'deposit' : 'withdrawal', amount: change });
      return { balance: account.balance };
    },
    /** One round: every third wins, every seventh is given back. */
    spin({ playerID, currency, gameID }: Record<string, unknown>) {
      const account = accountOf(String(playerID), String(currency));
      lastRound += 1;
      const round = { roundID: String(lastRound), gameID: String(gameID) };
      move(account, { kind: 'debit', amount: -1_000_000, ...round });
      if (lastRound % 7 === 0) move(account, { kind: 'rollback', amount: 1_000_000, ...round });
      else move(account, { kind: 'credit', amount: lastRound % 3 === 0 ? 2_500_000 : 0, ...round });
      return { balance: account.balance };
    },
    stream(playerID: string, currency: string, res: ServerResponse) {
      const { listeners } = accountOf(playerID, currency);
      res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      res.write(': here\n\n');
      listeners.add(res);
      res.on('close', () => listeners.delete(res));
    },
  };
}
