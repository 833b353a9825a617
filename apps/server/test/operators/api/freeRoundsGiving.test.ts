import { describe, expect, it } from 'vitest';
import { expectNothingChanged, expectRefusal } from '../../support/snapshot.ts';
import { UNIT, useTestServer } from '../../support/testServer.ts';
import { HOUSE, operatorClient, send, signedHeaders, useOperators } from './operatorClient.ts';

const server = useTestServer();
const operators = useOperators(server);

const GRANTS = '/operator/free-rounds/grants';
const HOUR_MS = 3_600_000;
const fromNow = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const TERMS = { gameIDs: ['fixture'], mode: 'BASE', bets: { USD: UNIT }, rounds: 5, endsAt: fromNow(48) };
const to = (playerID: string, grantID = playerID) => ({ grantID, playerID, currency: 'USD' });

describe('grants', () => {
  it('are given to players who have never played, and read back', async () => {
    const client = await operators.house();
    const { status, body } = await client.giveGrants({
      terms: { ...TERMS, mode: 'base', startsAt: fromNow(-1), playWithinHours: 24, automatic: true, paidAtEnd: true },
      grants: [to('ben'), to('anna', 'second'), to('anna', 'first')],
    });
    expect(status).toBe(200);
    expect(body.grants.map((grant: object) => ({ ...grant, startsAt: 0, expiresAt: 0 }))).toEqual(
      [to('ben'), to('anna', 'second'), to('anna', 'first')].map((grant) => ({
        ...{ ...grant, amount: UNIT, given: 5, startsAt: 0, expiresAt: 0 },
      })),
    );
    const { createdAt, startsAt, expiresAt, ...grant } = (await client.grant('first')).body;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(24 * HOUR_MS);
    expect(Date.parse(createdAt) - Date.parse(startsAt)).toBeGreaterThanOrEqual(HOUR_MS);
    expect(grant).toEqual({
      ...{
        ...to('anna', 'first'),
        campaignID: null,
        gameIDs: ['fixture'],
        mode: 'BASE',
        amount: UNIT,
        state: 'offered',
      },
      ...{ automatic: true, paidAtEnd: true, won: 0, endedAt: null },
      ...{ given: 5, used: 0, left: 5, expired: 0, cancelled: 0 },
    });
    const accounts = await server.db.account.findMany({ where: { operator: { code: client.code }, kind: 'player' } });
    const facts = accounts.map(({ balanceMicros, hasAutomaticGrant }) => [balanceMicros, hasAutomaticGrant]);
    expect(facts).toEqual([
      [0n, true],
      [0n, true],
    ]);
  });

  it('of a seamless wallet have an account without a balance', async () => {
    const client = await operators.seamless({ freeRounds: true });
    expect((await client.giveGrants({ terms: TERMS, grants: [to('anna')] })).status).toBe(200);
    const accounts = await server.db.account.findMany({ where: { operator: { code: client.code } } });
    expect(accounts.map(({ kind, balanceMicros }) => [kind, balanceMicros])).toEqual([['player', null]]);
  });

  it('are the same for the same request, and after their period', async () => {
    const client = await operators.house();
    const request = { terms: TERMS, grants: [to('anna'), to('ben')] };
    const given = await client.giveGrants(request);
    expect(await client.giveGrants(request)).toMatchObject({ status: 200, body: given.body });
    // They have expired since they were given.
    await server.db.$executeRaw`
      UPDATE grants SET created_at = created_at - interval '3 days', starts_at = starts_at - interval '3 days',
        expires_at = expires_at - interval '3 days'
      WHERE external_id IN ('anna', 'ben')`;
    const endsAt = new Date(Date.parse(TERMS.endsAt) - 72 * HOUR_MS).toISOString();
    await expectNothingChanged(server, async () => {
      const again = await client.giveGrants({ ...request, terms: { ...TERMS, endsAt } });
      expect([again.status, again.body.grants[0].expiresAt]).toEqual([200, endsAt]);
    });
  });

  it.each<[string, object]>([
    ['another player', { grants: [to('eva', 'anna')] }],
    ['another currency', { terms: { ...TERMS, bets: { EUR: UNIT } }, grants: [{ ...to('anna'), currency: 'EUR' }] }],
    ['another number of rounds', { terms: { ...TERMS, rounds: 6 } }],
    ['another bet', { terms: { ...TERMS, bets: { USD: 200_000 } } }],
    ['another mode', { terms: { ...TERMS, mode: 'AUTO' } }],
    ['another end', { terms: { ...TERMS, endsAt: fromNow(47) } }],
    ['a shorter time', { terms: { ...TERMS, playWithinHours: 1 } }],
    ['another kind', { terms: { ...TERMS, automatic: true } }],
    ['another payment', { terms: { ...TERMS, paidAtEnd: true } }],
    ['a campaign', { terms: undefined, campaignID: 'welcome' }],
  ])('are a conflict with %s; then nothing of the request is given', async (_, change) => {
    const client = await operators.house();
    await client.createCampaign({ ...TERMS, campaignID: 'welcome' });
    const request = { terms: TERMS, grants: [to('anna')] };
    await client.giveGrants(request);
    await expectNothingChanged(server, async () => {
      const other = { ...request, ...change };
      const refused = await client.giveGrants({ ...other, grants: [to('ben'), ...other.grants] });
      expectRefusal(refused, 'ERR_VAL', 'grantID anna was used');
    });
  });

  it('that are partly given are completed', async () => {
    const client = await operators.house();
    const first = await client.giveGrants({ terms: TERMS, grants: [to('anna')] });
    const both = await client.giveGrants({ terms: TERMS, grants: [to('ben'), to('anna')] });
    expect(both.body.grants[1]).toEqual(first.body.grants[0]);
    expect((await client.grants()).body.grants).toHaveLength(2);
  });

  it('are given once when requests with the same ids and players meet', async () => {
    const client = await operators.house();
    const node = operatorClient((await server.startNode()).url, client);
    for (let turn = 0; turn < 10; turn += 1) {
      const grants = Array.from({ length: 20 }, (_, index) => to(`p${turn}-${index}`));
      const request = { terms: { ...TERMS, automatic: true }, grants };
      // The other order of the same ids would deadlock, did the server keep the order of a request.
      const reversed = { ...request, grants: grants.toReversed() };
      const [a, b, c] = await Promise.all([
        client.giveGrants(request),
        node.giveGrants(reversed),
        node.giveGrants(request),
      ]);
      expect([a.status, b.status, c.status]).toEqual([200, 200, 200]);
      expect([b.body.grants.toReversed(), c.body.grants]).toEqual([a.body.grants, a.body.grants]);
      // Some of the ids are in both requests, with other contents.
      const other = { terms: { ...TERMS, rounds: 7 }, grants: [to(`q${turn}`), to('x', `r${turn}`)] };
      const third = { terms: TERMS, grants: [to('y', `r${turn}`), to(`s${turn}`)] };
      const statuses = (await Promise.all([client.giveGrants(other), node.giveGrants(third)])).map(
        ({ status }) => status,
      );
      expect(statuses.toSorted()).toEqual([200, 400]);
    }
    expect(await server.db.grant.count({ where: { operator: { code: client.code } } })).toBe(10 * 22);
  });

  it('are given to 10,000 players by one request', async () => {
    const client = await operators.house();
    const grants = Array.from({ length: 10_000 }, (_, index) =>
      to(`${'a player with a long name '.repeat(4)}${index}`, `g${index}`),
    );
    const request = { terms: { ...TERMS, automatic: true }, grants };
    const given = await client.giveGrants(request);
    expect(given.body.grants).toHaveLength(10_000);
    expect(await client.giveGrants(request)).toMatchObject({ status: 200, body: given.body });
    const tooMany = await client.giveGrants({ ...request, grants: [...grants, to('one more')] });
    expectRefusal(tooMany, 'ERR_VAL', 'grants');
  });

  it('are listed by player, campaign and state, newest first', async () => {
    const client = await operators.house();
    await client.createCampaign({ ...TERMS, campaignID: 'welcome' });
    await client.giveGrants({ campaignID: 'welcome', grants: [to('anna', '1'), to('ben', '2')] });
    await client.giveGrants({ terms: TERMS, grants: [to('anna', '3')] });
    await client.giveGrants({ terms: TERMS, grants: [to('anna', '4')] });
    await client.cancelGrant('3');
    const ids = async (query: Record<string, string | number>) =>
      (await client.grants(query)).body.grants.map(({ grantID }: { grantID: string }) => grantID);
    expect(await ids({})).toEqual(['4', '3', '2', '1']);
    expect(await ids({ playerID: 'anna' })).toEqual(['4', '3', '1']);
    expect(await ids({ playerID: 'anna', state: 'offered' })).toEqual(['4', '1']);
    expect(await ids({ campaignID: 'welcome' })).toEqual(['2', '1']);
    expect(await ids({ playerID: 'nobody' })).toEqual([]);
    const { cursor } = (await client.grants({ limit: 3 })).body;
    expect(await ids({ limit: 3, cursor })).toEqual(['1']);
  });

  it('that are cancelled lose what is unused; an open round is played and paid', async () => {
    const client = await operators.house();
    await client.giveGrants({ terms: TERMS, grants: [to('anna')] });
    const cancelled = await client.cancelGrant('anna', { reason: 'a mistake' });
    expect(cancelled.body).toMatchObject({ state: 'cancelled', left: 0, cancelled: 5, endedAt: expect.any(String) });
    await expectNothingChanged(server, async () =>
      expect(await client.cancelGrant('anna')).toMatchObject({ status: 200, body: cancelled.body }),
    );
    const where = { actor: `operator:${client.code}`, kind: 'grant_cancelled' };
    const events = await server.db.significantEvent.findMany({ where });
    expect(events.map(({ subject, valueAfter }) => [subject, valueAfter])).toEqual([
      [`grant anna of operator ${client.code}`, '{"reason":"a mistake"}'],
    ]);
  });
});

describe('a large request', () => {
  const padded = (bytes: number) => JSON.stringify({ terms: TERMS, grants: [to('anna')] }).padEnd(bytes);

  it('has 4 MiB at most, and only where grants are given', async () => {
    const client = await operators.house();
    expect((await client.giveGrants(padded(4 << 20))).status).toBe(200);
    expectRefusal(await client.giveGrants(padded((4 << 20) + 1)), 'ERR_VAL', '4096 KiB');
    expectRefusal(await client.createCampaign(padded(17 << 10)), 'ERR_VAL', '16 KiB');
  });

  it.each([
    ['of an operator that is not here', { ...HOUSE, code: 'nobody' }],
    ['of an operator without a secret', HOUSE],
  ])('%s is not read', async (_, caller) => {
    const request = { method: 'POST', path: GRANTS, body: padded(17 << 10) };
    const refused = await send(server.url, { ...request, headers: signedHeaders(caller, request) });
    expectRefusal(refused, 'ERR_VAL', '16 KiB');
  });
});
