import { setTimeout as wait } from 'node:timers/promises';
import { toMicros } from '@roundhouse/contract';
import { expect } from 'vitest';
import { openDatabase } from '../../src/ledger/database.ts';
import { issueSession } from '../../src/sessions/launchSession.ts';
import { call, post, type RgsBody, type RgsResponse } from '../support/rgsCalls.ts';

const UNIT = 1_000_000;
const OPENING_BALANCE = 1_000 * UNIT;
const PAUSE_BETWEEN_ATTEMPTS_MS = 20;

export type Player = { name: string; sessionID: string; balance: number; plays: number };

/** Players of the house with live sessions, without a start of the command for each. */
export async function newPlayers(node: { url: string }, databaseUrl: string, names: string[]): Promise<Player[]> {
  const db = openDatabase({ url: databaseUrl, connections: 2 });
  try {
    const players: Player[] = [];
    for (const name of names) {
      const issued = await issueSession(db, {
        operatorCode: 'house',
        playerExternalID: name,
        gameID: 'fixture',
        gameVersion: '1.0.0',
        currency: 'USD',
        country: undefined,
        social: false,
        openingBalance: toMicros(OPENING_BALANCE),
        setBalanceTo: undefined,
        jurisdiction: {},
        launch: { gameHost: node.url, rgsUrl: node.url, language: 'en', device: 'desktop' },
      });
      if (!issued.ok) throw new Error(`no session for ${name}`);
      const { sessionID } = issued;
      await call(node.url, '/wallet/authenticate', { sessionID });
      players.push({ name, sessionID, balance: OPENING_BALANCE, plays: 0 });
    }
    return players;
  } finally {
    await db.$disconnect();
  }
}

/**
 * A whole round. A call whose connection breaks is made again, as a game does it. Answers how often
 * that was.
 */
export async function playRound(url: string, player: Player): Promise<number> {
  player.plays += 1;
  const { sessionID } = player;
  const key = { 'Idempotency-Key': `${player.name}-${player.plays}` };
  const played = await untilServed(() => play(url, player, key));
  const ended = await untilServed(() => post(url, '/wallet/end-round', { sessionID }));
  player.balance += played.body.round.payout - UNIT;
  expect(ended.body.balance.amount).toBe(player.balance);
  return played.broken + ended.broken;
}

export function play(url: string, { sessionID }: Player, headers: Record<string, string> = {}): Promise<RgsResponse> {
  return post(url, '/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' }, headers);
}

async function untilServed(attempt: () => Promise<RgsResponse>): Promise<{ body: RgsBody; broken: number }> {
  for (let broken = 0; ; broken += 1) {
    const response = await attempt().catch(() => undefined);
    if (response !== undefined) {
      expect(response).toMatchObject({ status: 200 });
      return { body: response.body, broken };
    }
    await wait(PAUSE_BETWEEN_ATTEMPTS_MS);
  }
}
