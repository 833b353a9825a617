import type { OperatorGrant } from '@roundhouse/contract';
import { insist as insistOn } from '@roundhouse/fault-injection';
import { expect } from 'vitest';
import { type Caller, operatorClient } from '../../operators/api/operatorClient.ts';
import type { TestResponse } from '../../support/testServer.ts';
import { MODES } from './chaosPlayer.ts';

const HOUR_MS = 3_600_000;
/** Some grants end in the middle of their rounds. */
const SOON_MS = 8_000;
const BETS = [200_000, 1_000_000];
const MOST_ROUNDS = 4;
const GAME = 'fixture';

type Client = ReturnType<typeof operatorClient>;
export type GrantGiver = ReturnType<typeof createGrantGiver>;

/**
 * Acts as an operator does: it gives free rounds, cancels them, voids rounds, and reads the feed.
 */
export function createGrantGiver(options: {
  nodes: readonly string[];
  caller: Caller;
  playerIDs: readonly string[];
  random: () => number;
}) {
  const { caller, playerIDs, random } = options;
  const clients = options.nodes.map((url) => operatorClient(url, caller));
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const campaignIDs: string[] = [];
  const grantIDs: string[] = [];
  /** Holds what the feed has told last of each grant. */
  const told = new Map<string, OperatorGrant>();
  let cursor: string | null = null;
  let given = 0;

  /** Sends the request to any node until one responds. Only the connection may fail. */
  async function insist(send: (client: Client) => Promise<TestResponse>): Promise<TestResponse> {
    const attempt = () =>
      send(pick(clients)).catch((error: unknown) => {
        if (!(error instanceof TypeError)) throw error;
        return undefined;
      });
    return (await insistOn(attempt)) as TestResponse;
  }

  /** Sends it once more now and then: the response must be the same. */
  async function giveOnce(request: object): Promise<boolean> {
    const { status, body } = await insist((client) => client.giveGrants(request));
    if (status !== 200) return isLate(body);
    if (random() < 0.3) expect((await insist((client) => client.giveGrants(request))).body).toEqual(body);
    return true;
  }

  /** A restart may have taken until the end of the period. */
  function isLate({ message }: { message: string }): false {
    expect(message).toMatch(/endsAt: is in the past/);
    return false;
  }

  async function give(): Promise<void> {
    given += 1;
    const id = `${caller.code}-${given}`;
    const endsInMs = random() < 0.25 ? SOON_MS * (0.25 + random()) : HOUR_MS;
    const terms = {
      ...{
        gameIDs: [GAME],
        mode: pick(MODES),
        bets: { USD: pick(BETS) },
        rounds: 1 + Math.floor(random() * MOST_ROUNDS),
      },
      ...{
        endsAt: new Date(Date.now() + endsInMs).toISOString(),
        automatic: random() < 0.5,
        paidAtEnd: random() < 0.5,
      },
    };
    const grants = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, place) => {
      return { grantID: `${id}-${place}`, playerID: pick(playerIDs), currency: 'USD' };
    });
    const isCampaign = random() < 0.5;
    if (isCampaign) {
      const { status, body } = await insist((client) => client.createCampaign({ campaignID: id, ...terms }));
      if (status !== 200) return void isLate(body);
      campaignIDs.push(id);
    }
    if (await giveOnce({ ...(isCampaign ? { campaignID: id } : { terms }), grants }))
      grantIDs.push(...grants.map(({ grantID }) => grantID));
  }

  async function cancel(kind: 'cancelGrant' | 'cancelCampaign', ids: readonly string[]): Promise<void> {
    const id = pick(ids.slice(-20));
    if (id !== undefined) expect((await insist((client) => client[kind](id))).status).toBe(200);
  }

  /** The round is open, or completed, or its debit has no result. A new player is not known yet. */
  async function voidLatestRound(): Promise<void> {
    const { status, body } = await insist((client) => client.playerRounds(pick(playerIDs), { limit: 1 }));
    expect([200, 404]).toContain(status);
    const latest = body.rounds?.[0];
    if (latest !== undefined) await insist((client) => client.voidRound(latest.betID));
  }

  const acts = [
    ...Array(12).fill(give),
    ...[voidLatestRound, () => cancel('cancelGrant', grantIDs), () => cancel('cancelCampaign', campaignIDs)],
  ];

  async function readFeed(): Promise<void> {
    for (;;) {
      const { body } = await insist((client) => client.changes({ limit: 20, ...(cursor !== null && { cursor }) }));
      for (const grant of body.grants) told.set(grant.grantID, grant);
      cursor = body.cursor;
      if (body.grants.length === 0) return;
    }
  }

  async function list(query: Record<string, string> = {}): Promise<OperatorGrant[]> {
    const grants: OperatorGrant[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page = { ...query, limit: 100, ...(next !== '' && { cursor: next }) };
      const { body } = await insist((client) => client.grants(page));
      grants.push(...body.grants);
      next = body.cursor;
    }
    return grants;
  }

  return {
    caller,
    async act(): Promise<void> {
      await pick(acts)();
      await readFeed();
    },
    /** Takes all that is unused. */
    async cancelAll(): Promise<void> {
      for (const state of ['offered', 'accepted'])
        for (const { grantID } of await list({ state })) await cancel('cancelGrant', [grantID]);
    },
    /** Returns all grants: those that were given, as the feed has told them last. */
    async everyGrant(): Promise<OperatorGrant[]> {
      await readFeed();
      const grants = await list();
      expect(new Map(grants.map((grant) => [grant.grantID, grant]))).toEqual(told);
      expect(grants.map(({ grantID }) => grantID).sort()).toEqual(grantIDs.toSorted());
      return grants;
    },
  };
}
