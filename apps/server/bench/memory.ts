import { BOOKS_PER_MODE, bookEvents, PAYOUT_MULTIPLIER } from './benchGame.ts';
import { serveParent } from './child.ts';
import { serveJson } from './jsonServer.ts';

// A play without a database: what a Node process can do over HTTP at most. It draws a book, keeps
// the balance in memory, and responds with the book's own bytes.

const OPENING_BALANCE = 1_000_000_000_000;
const STATES = Array.from({ length: BOOKS_PER_MODE }, (_, index) =>
  JSON.stringify(bookEvents(index + 1, { spins: 2, payoutMultiplier: PAYOUT_MULTIPLIER.LOSE })),
);
const balances = new Map<string, number>();
let rounds = 0;

type PlayBody = { sessionID: string; amount: number; mode: string };

function play({ sessionID, amount, mode }: PlayBody): string {
  const balance = (balances.get(sessionID) ?? OPENING_BALANCE) - amount;
  balances.set(sessionID, balance);
  const state = STATES[Math.floor(Math.random() * BOOKS_PER_MODE)];
  rounds += 1;
  const round = JSON.stringify({ betID: rounds, mode, amount, payout: 0, payoutMultiplier: 0, active: false });
  return `{"balance":{"amount":${balance},"currency":"USD"},"round":${round.slice(0, -1)},"state":${state}}}`;
}

serveParent<object, { url: string }>(async () => ({
  url: await serveJson<PlayBody>((_path, body) => ({ status: 200, json: play(body) })),
}));
