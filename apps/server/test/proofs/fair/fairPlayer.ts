import { createHash } from 'node:crypto';
import { Agent, request } from 'undici';
import { expect } from 'vitest';
import { createInsistingPlayer } from '../../support/insistingPlayer.ts';

const STEP = 200_000;
/** Shares of a player's acts, in percent; the others are plain plays. */
const SHARES = { badBet: 2, changeClientSeed: 1, rotate: 0.3, twoPlaysAtOnce: 3, repeatedKey: 4 };
/** Shares of the open rounds, in percent. */
const OPEN_SHARES = { changeOfSeeds: 1, voidedByOperator: 0.5 };

export type Game = { gameID: string; sessionID: string; modes: readonly string[] };
type Response = { status: number; body: any; text: string };
/** Is a server seed that the player had revealed: with its hash, and how many nonces were used. */
export type Period = { serverSeedHash: string; serverSeed: string; nonces: number };
/** Is what a play responded. `isVoided`: the operator has made the round void later. */
type SeenRound = { amount: number; payout: number; payoutMultiplier: number; isVoided: boolean };
export type FairPlayer = ReturnType<typeof createFairPlayer>;

const agent = new Agent({ connections: 64 });

/** Sends a request of a game by a kept connection, and holds nothing against the contract. */
export async function send(url: string, path: string, body: object, key?: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) };
  const sent = await request(url + path, { method: 'POST', headers, body: JSON.stringify(body), dispatcher: agent });
  const text = await sent.body.text();
  return { status: sent.statusCode, body: JSON.parse(text), text };
}

/**
 * Plays fair draws in each of its games, on one account. Each request goes to the next node, so
 * that a node's memory of the nonce is old nearly always. The same `random` is the same player.
 */
export function createFairPlayer(options: {
  playerID: string;
  games: readonly Game[];
  nodes: readonly string[];
  random: () => number;
  rotates: boolean;
  voidRound(betID: number): Promise<void>;
}) {
  const { playerID, games, nodes, random, rotates, voidRound } = options;
  const seen = new Map<number, SeenRound>();
  const periods: Period[] = [];
  const counts = { badBets: 0, repeated: 0, raced: 0, clientSeeds: 0, refusedChanges: 0, voided: 0 };
  /** Counts the responses of 500 and more by their message. */
  const uncertain = new Map<string, number>();
  let turn = 0;
  let keys = 0;
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const happens = (percent: number) => random() * 100 < percent;
  const anySession = () => pick(games).sessionID;
  const { insist, comeToRest: comeToRestIn } = createInsistingPlayer<Response>({
    name: playerID,
    send(path, body, key) {
      turn += 1;
      return send(nodes[turn % nodes.length] as string, path, body, key);
    },
    onUncertain(response) {
      const { message } = response?.body ?? {};
      uncertain.set(message, (uncertain.get(message) ?? 0) + 1);
    },
  });

  async function good(path: string, body: object): Promise<any> {
    const { status, body: received, text } = await insist(path, body);
    expect({ path, status, text: status === 200 ? '' : text }).toEqual({ path, status: 200, text: '' });
    return received;
  }

  /** Ends what is open in any game. */
  async function comeToRest(): Promise<void> {
    for (const { sessionID } of games) expect(await comeToRestIn(sessionID)).toMatchObject({ status: 200 });
  }

  /** Has a colon, an accent and an emoji now and then: all of them are allowed. */
  function newClientSeed(): string {
    counts.clientSeeds += 1;
    const parts = ['lucky', 'ünïcode', '🍀', 'a:b', '0', ' '];
    return `${pick(parts)}${Math.floor(random() * 1e9)}${pick(parts)}x`;
  }

  function see({ betID, amount, payout, payoutMultiplier }: any): void {
    seen.set(betID, { amount, payout, payoutMultiplier, isVoided: false });
  }

  async function endOpenRound(sessionID: string, betID: number): Promise<void> {
    if (happens(OPEN_SHARES.changeOfSeeds)) {
      const refused = await insist('/fairness/client-seed', { sessionID, clientSeed: 'while a round is open' });
      expect(refused).toMatchObject({ status: 400, body: { error: 'ERR_VAL' } });
      counts.refusedChanges += 1;
    }
    if (happens(OPEN_SHARES.voidedByOperator)) {
      await voidRound(betID);
      counts.voided += 1;
      (seen.get(betID) as SeenRound).isVoided = true;
      return comeToRest();
    }
    await good('/wallet/end-round', { sessionID });
  }

  async function play({ twice = false } = {}): Promise<void> {
    const { sessionID, modes } = pick(games);
    const bet = { sessionID, amount: (1 + Math.floor(random() * 5)) * STEP, mode: pick(modes) };
    keys += 1;
    const key = `${playerID}-${keys}`;
    const responses = await Promise.all(Array.from({ length: twice ? 2 : 1 }, () => insist('/wallet/play', bet, key)));
    const rounds = responses.filter(({ status }) => status === 200).map(({ body }) => body.round);
    // A refusal by the operator's wallet has made a void round; what else is open is ended.
    if (rounds.length === 0) return comeToRest();
    expect(new Set(rounds.map(({ betID }) => betID)).size).toBe(1);
    if (twice) counts.repeated += 1;
    see(rounds[0]);
    if (rounds[0].active) await endOpenRound(sessionID, rounds[0].betID);
  }

  /**
   * Two plays want one nonce at once, each on its node. A round that is not completed stops the
   * other.
   */
  async function playTwoAtOnce(): Promise<void> {
    const game = games.find(({ modes }) => modes.includes('AUTO')) as Game;
    const bet = { sessionID: game.sessionID, amount: STEP, mode: 'AUTO' };
    const responses = await Promise.all(
      [1, 2].map(() => {
        keys += 1;
        return insist('/wallet/play', bet, `${playerID}-${keys}`);
      }),
    );
    for (const { status, body } of responses) if (status === 200) see(body.round);
    counts.raced += 1;
    await comeToRest();
  }

  /** A seed by which nothing was drawn is not revealed: its period has no round to check. */
  async function rotate(): Promise<void> {
    const sessionID = anySession();
    const { fairness } = await good('/fairness/seeds', { sessionID });
    const { serverSeedHash, nextServerSeedHash } = fairness;
    if (fairness.nonce === 0) {
      const refused = await insist('/fairness/rotate', { sessionID, serverSeedHash, clientSeed: newClientSeed() });
      expect(refused).toMatchObject({ status: 400, body: { error: 'ERR_VAL' } });
      return;
    }
    const first = await good('/fairness/rotate', { sessionID, serverSeedHash, clientSeed: newClientSeed() });
    expect(first.fairness).toMatchObject({ serverSeedHash: nextServerSeedHash, nonce: 0 });
    const { serverSeed, nonces } = first.revealed;
    expect(createHash('sha256').update(serverSeed, 'hex').digest('hex')).toBe(serverSeedHash);
    if (happens(50)) {
      // The response was lost: the same seed is revealed again, and nothing changes.
      const again = await good('/fairness/rotate', { sessionID, serverSeedHash, clientSeed: 'of no consequence' });
      expect(again).toEqual(first);
    }
    periods.push({ serverSeedHash, serverSeed, nonces });
  }

  return {
    playerID,
    games,
    seen,
    periods,
    counts,
    uncertain,
    comeToRest,
    rotate,
    /** The first client seed is the player's as well. */
    async begin(): Promise<void> {
      for (const { sessionID } of games) await good('/wallet/authenticate', { sessionID });
      const early = await insist('/wallet/play', { sessionID: anySession(), amount: STEP, mode: 'BASE' });
      expect(early).toMatchObject({ status: 400, body: { error: 'ERR_VAL' } });
      await good('/fairness/client-seed', { sessionID: anySession(), clientSeed: newClientSeed() });
    },
    /** Does one thing, mostly a whole round. */
    async act(): Promise<void> {
      if (happens(SHARES.badBet)) {
        const refused = await insist('/wallet/play', { sessionID: anySession(), amount: STEP + 1, mode: 'BASE' });
        expect(refused.status).toBe(400);
        counts.badBets += 1;
      } else if (happens(SHARES.changeClientSeed)) {
        await good('/fairness/client-seed', { sessionID: anySession(), clientSeed: newClientSeed() });
      } else if (rotates && happens(SHARES.rotate)) await rotate();
      else if (happens(SHARES.twoPlaysAtOnce)) await playTwoAtOnce();
      else await play({ twice: happens(SHARES.repeatedKey) });
    },
    /** Returns the text of the export, as it was sent. */
    async exportOf({ serverSeedHash }: Period): Promise<string> {
      const { status, text } = await insist('/fairness/export', { sessionID: anySession(), serverSeedHash });
      expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
      return text;
    },
  };
}
