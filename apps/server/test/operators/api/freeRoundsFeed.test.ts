import { describe, expect, it } from 'vitest';
import { UNIT, useTestServer } from '../../support/testServer.ts';
import { operatorClient, useOperators } from './operatorClient.ts';

const server = useTestServer();
const operators = useOperators(server);

const ENDS_AT = new Date(Date.now() + 3_600_000).toISOString();
const TERMS = { gameIDs: ['fixture'], mode: 'BASE', bets: { USD: UNIT }, rounds: 5, endsAt: ENDS_AT };
const to = (grantID: string) => ({ grantID, playerID: `player of ${grantID}`, currency: 'USD' });

type Page = { grants: { grantID: string; state: string }[]; cursor: string | null };
type Changes = (query: Record<string, string | number>) => Promise<{ body: Page }>;

/** Reads the feed to its end, and returns the last state of each grant. */
async function follow(changes: Changes, seen: Map<string, string>, from: string | null): Promise<string | null> {
  for (let cursor = from; ; ) {
    const { body } = await changes({ limit: 7, ...(cursor !== null && { cursor }) });
    for (const { grantID, state } of body.grants) seen.set(grantID, state);
    cursor = body.cursor;
    if (body.grants.length === 0) return cursor;
  }
}

describe('the feed of changes', () => {
  it('begins empty, shows each changed grant once, and only those after the cursor', async () => {
    const client = await operators.house();
    expect((await client.changes()).body).toEqual({ grants: [], cursor: null });
    await client.giveGrants({ terms: TERMS, grants: ['1', '2', '3'].map(to) });
    const first = (await client.changes()).body;
    expect(first.grants).toEqual(await Promise.all(['1', '2', '3'].map(async (id) => (await client.grant(id)).body)));
    expect((await client.changes({ cursor: first.cursor })).body).toEqual({ grants: [], cursor: first.cursor });
    // The newest change of all has moved then: the feed must not go back.
    await client.cancelGrant('3');
    const second = (await client.changes({ cursor: first.cursor })).body;
    expect(second.grants.map(({ grantID, state }: Page['grants'][number]) => [grantID, state])).toEqual([
      ['3', 'cancelled'],
    ]);
    expect((await client.changes({ cursor: second.cursor })).body.grants).toEqual([]);
    expect((await (await operators.house()).changes()).body.grants).toEqual([]);
  });

  it('misses no change, however many are made and read at once', async () => {
    const client = await operators.house();
    const node = operatorClient((await server.startNode()).url, client);
    const ids = Array.from({ length: 60 }, (_, index) => `g${index}`);
    let isDone = false;
    const readers = [client.changes, node.changes].map(async (changes) => {
      const seen = new Map<string, string>();
      let cursor: string | null = null;
      while (!isDone) cursor = await follow(changes, seen, cursor);
      await follow(changes, seen, cursor);
      return seen;
    });
    const change = async (id: string) => {
      await client.giveGrants({ terms: TERMS, grants: [to(id)] });
      await node.cancelGrant(id);
    };
    for (let start = 0; start < ids.length; start += 6) await Promise.all(ids.slice(start, start + 6).map(change));
    isDone = true;
    for (const seen of await Promise.all(readers)) {
      expect([...seen].toSorted()).toEqual(ids.map((id) => [id, 'cancelled']).toSorted());
    }
  });

  it('waits for no transaction that is changing a grant, and shows the change afterwards', async () => {
    const client = await operators.house();
    await client.giveGrants({ terms: TERMS, grants: ['slow', 'fast'].map(to) });
    const start = (await client.changes()).body.cursor;
    let read: Page | undefined;
    await server.db.$transaction(async (tx) => {
      await tx.$executeRaw`UPDATE grants SET state = 'accepted', change_seq = NULL WHERE external_id = 'slow'`;
      await client.cancelGrant('fast');
      read = (await client.changes({ cursor: start })).body;
    });
    const idsOf = ({ grants }: Page) => grants.map(({ grantID }) => grantID);
    expect(idsOf(read as Page)).toEqual(['fast']);
    expect(idsOf((await client.changes({ cursor: read?.cursor ?? '' })).body)).toEqual(['slow']);
  });
});
