import { toMicros } from '@roundhouse/contract';
import { expect } from 'vitest';
import { issueSession } from '../../../src/rounds/sessions/launchSession.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { createInsistingPlayer } from '../../support/insistingPlayer.ts';
import { call, post } from '../../support/rgsCalls.ts';
import { OPENING, OPERATOR, type TestResponse, UNIT } from '../../support/testServer.ts';

export type Player = { name: string; sessionID: string; balance: number; plays: number };
/** Requests read it each time, since a restarted node may have another address. */
type Node = { readonly url: string };

/** Makes players of the house with live sessions, without a start of the command for each. */
export async function newPlayers(
  { url }: Node,
  databaseUrl: string,
  names: string[],
  game = { gameID: 'fixture', gameVersion: '1.0.0' },
): Promise<Player[]> {
  const db = openDatabase({ url: databaseUrl, connections: 2 });
  try {
    const players: Player[] = [];
    for (const name of names) {
      const issued = await issueSession(db, {
        ...{ operatorCode: OPERATOR, playerExternalID: name, ...game, currency: 'USD' },
        ...{ country: undefined, social: false, openingBalance: toMicros(OPENING), setBalanceTo: undefined },
        jurisdiction: {},
        launch: { gameHost: url, rgsUrl: url, language: 'en', device: 'desktop' },
      });
      if (!issued.ok) throw new Error(issued.refusal);
      const { sessionID } = issued;
      await call(url, '/wallet/authenticate', { sessionID });
      players.push({ name, sessionID, balance: OPENING, plays: 0 });
    }
    return players;
  } finally {
    await db.$disconnect();
  }
}

/** Plays a whole round. Repeats a request whose connection breaks, and returns how often. */
export async function playRound(node: Node, player: Player): Promise<number> {
  player.plays += 1;
  const { name, sessionID } = player;
  let broken = 0;
  const { insist } = createInsistingPlayer<TestResponse>({
    ...{ name, isCertain: () => true },
    send: (path, body, key) =>
      post(node.url, path, body, key === undefined ? {} : { 'Idempotency-Key': key }).catch(() => undefined),
    onUncertain() {
      broken += 1;
    },
  });
  const bet = { sessionID, amount: UNIT, mode: 'BASE' };
  const played = await insist('/wallet/play', bet, `${name}-${player.plays}`);
  expect(played).toMatchObject({ status: 200 });
  const ended = await insist('/wallet/end-round', { sessionID });
  player.balance += played.body.round.payout - UNIT;
  expect(ended).toMatchObject({ status: 200, body: { balance: { amount: player.balance } } });
  return broken;
}

export function play(
  { url }: Node,
  { sessionID }: Player,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return post(url, '/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' }, headers);
}
