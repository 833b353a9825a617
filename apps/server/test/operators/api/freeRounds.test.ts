import { describe, expect, it } from 'vitest';
import { withdrawVersion } from '../../../src/store/rounds/games.ts';
import { writeFixtureGame } from '../../support/fixtureGame.ts';
import { expectNothingChanged, expectRefusal } from '../../support/snapshot.ts';
import { serveGames, UNIT, useTestServer } from '../../support/testServer.ts';
import { INVALID, operatorClient, refusalOf, useOperators } from './operatorClient.ts';

const server = useTestServer();
const operators = useOperators(server);

const HOUR_MS = 3_600_000;
const fromNow = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const TERMS = { gameIDs: ['fixture'], mode: 'base', bets: { USD: UNIT, EUR: 200_000 }, rounds: 5, endsAt: fromNow(48) };
const CAMPAIGN = { ...TERMS, campaignID: 'welcome' };
const to = (playerID: string, grantID = `grant-${playerID}`, currency = 'USD') => ({ grantID, playerID, currency });

type Client = Awaited<ReturnType<(typeof operators)['house']>>;

/** A row of the table: what is wrong, the change of good terms, and a part of the message. */
const BAD_TERMS: [string, object, string][] = [
  ['an unknown game', { gameIDs: ['fixture', 'nothing'] }, 'no such game'],
  ['a game that no database can hold', { gameIDs: ['a\u0000'] }, 'no such game'],
  ['an unknown mode', { mode: 'SUPER' }, 'has no such mode; it has ANTE, AUTO, BASE, BONUS'],
  ['no bet', { bets: {} }, 'bet'],
  ['a bet that is no level', { bets: { USD: 300_000 } }, 'not a bet level'],
  ['a bet off the step, where the game lists no levels', { bets: { JPY: 15 * UNIT } }, 'in steps of 10000000'],
  ['a currency that nobody has', { bets: { QQQ: UNIT } }, 'QQQ is not a currency of ISO 4217'],
  ['an end in the past', { endsAt: fromNow(-1) }, 'in the past'],
  ['an end in the year 0', { endsAt: '0000-01-01T00:00:00Z' }, 'in the past'],
  ['an end before the start', { startsAt: fromNow(72) }, 'must come after startsAt'],
  ['too many rounds', { rounds: 101 }, 'at most 100'],
  ['more rounds than an integer', { rounds: Number.MAX_SAFE_INTEGER }, 'at most 100'],
];

describe('a campaign', () => {
  const send = (client: Client, change: object) => client.createCampaign({ ...CAMPAIGN, ...change });

  it.each(BAD_TERMS)('is refused with %s', async (_what, terms, about) => {
    const client = await operators.house();
    await expectNothingChanged(server, async () => expectRefusal(await send(client, terms), 'ERR_VAL', about));
  });

  it('is refused where the wallet does not know free rounds', async () => {
    const client = (await operators.seamless()) as unknown as Client;
    expectRefusal(await send(client, {}), 'ERR_VAL', '--free-rounds');
    await server.db.operator.update({ where: { code: client.code }, data: { freeRounds: true } });
    expect((await send(client, {})).status).toBe(200);
  });

  it('is refused of a disabled operator, in other currencies than its own, and above its limits', async () => {
    expectRefusal(await send(await operators.house({ disabled: true }), {}), 'ERR_VAL', 'disabled');
    expectRefusal(await send(await operators.house({ currencies: ['JPY'] }), {}), 'ERR_VAL', 'not offered');
    expectRefusal(await send(await operators.house({ maxFreeRounds: 4 }), {}), 'ERR_VAL', 'at most 4');
  });

  it('is refused in a bought feature where the jurisdiction allows none', async () => {
    const client = await operators.house({ jurisdiction: { disabledBuyFeature: true } });
    expectRefusal(await send(client, { mode: 'bonus' }), 'ERR_VAL', 'bought feature');
    expect((await send(await operators.house(), { mode: 'bonus' })).status).toBe(200);
  });

  it('is refused when its rounds can pay more than the limit of the currency', async () => {
    const client = await operators.house();
    const { id } = await server.db.operator.findUniqueOrThrow({ where: { code: client.code } });
    // BASE pays 1000 bets at most.
    const limit = BigInt(5 * 1000 * UNIT);
    const row = { operatorId: id, currency: 'USD', maxGrantLiabilityMicros: limit - 1n };
    await server.db.operatorLimit.create({ data: row });
    expectRefusal(await send(client, {}), 'ERR_VAL', `the limit is ${limit - 1n}`);
    await server.db.operatorLimit.updateMany({ where: { operatorId: id }, data: { maxGrantLiabilityMicros: limit } });
    expect((await send(client, {})).status).toBe(200);
  });

  it('is refused when its rounds can pay more than an amount can hold', async () => {
    const client = await operators.house({ maxFreeRounds: 1_000_000 });
    expectRefusal(await send(client, { rounds: 1_000_000, bets: { USD: 100 * UNIT } }), 'ERR_VAL', 'can pay');
  });
});

it('a grant without a campaign has terms by the same rules', async () => {
  const client = await operators.house();
  const terms = { ...TERMS, mode: 'SUPER' };
  await expectNothingChanged(server, async () =>
    expectRefusal(await client.giveGrants({ terms, grants: [to('anna')] }), 'ERR_VAL', 'has no such mode'),
  );
});

it('a withdrawn game is unknown, and a request from before keeps its response', async () => {
  const { url } = await serveGames(server, [await writeFixtureGame({ id: 'old' })]);
  const { giveGrants } = operatorClient(url, await operators.house());
  const give = (grantID: string) =>
    giveGrants({ terms: { ...TERMS, gameIDs: ['old'] }, grants: [to('anna', grantID)] });
  const given = await give('before');
  expect(given.status).toBe(200);
  await withdrawVersion(server.db, { gameID: 'old', version: '1.0.0' });
  expectRefusal(await give('after'), 'ERR_VAL', 'no such game');
  expect(await give('before')).toMatchObject({ status: 200, body: given.body });
});

describe('campaigns', () => {
  it('is created once, however often and at once the request is sent', async () => {
    const client = await operators.house();
    const all = await Promise.all(Array.from({ length: 5 }, () => client.createCampaign(CAMPAIGN)));
    const [first] = all;
    expect(first?.body).toEqual({
      ...{ ...CAMPAIGN, mode: 'BASE', automatic: false, paidAtEnd: false },
      ...{ startsAt: first?.body.createdAt, createdAt: expect.any(String), state: 'open', grants: 0, used: 0, left: 0 },
    });
    expect(all.map(({ body }) => body)).toEqual(all.map(() => first?.body));
    expect((await client.campaign('welcome')).body).toEqual(first?.body);
    expect(await eventsOf(client)).toEqual([`campaign_created campaign welcome of operator ${client.code}`]);
  });

  it.each<object>([
    ...[{ rounds: 6 }, { mode: 'ANTE' }, { bets: { USD: UNIT } }, { endsAt: fromNow(49) }, { startsAt: fromNow(1) }],
    ...[{ playWithinHours: 1 }, { automatic: true }, { paidAtEnd: true }],
  ])('is a conflict with %j', async (change) => {
    const client = await operators.house();
    await client.createCampaign(CAMPAIGN);
    await expectNothingChanged(server, async () =>
      expectRefusal(await client.createCampaign({ ...CAMPAIGN, ...change }), 'ERR_VAL', 'campaignID: welcome was used'),
    );
  });

  it('counts its grants, and lists are pages, newest first', async () => {
    const client = await operators.house();
    for (const campaignID of ['1', '2', '3']) await client.createCampaign({ ...CAMPAIGN, campaignID });
    await client.giveGrants({ campaignID: '2', grants: [to('anna'), to('ben'), to('eva', 'eva', 'EUR')] });
    const page = (await client.campaigns({ limit: 2 })).body;
    const idsOf = ({ campaigns }: { campaigns: { campaignID: string }[] }) => campaigns.map((each) => each.campaignID);
    expect(idsOf(page)).toEqual(['3', '2']);
    expect(page.campaigns[1]).toMatchObject({ grants: 3, used: 0, left: 15 });
    const rest = (await client.campaigns({ limit: 2, cursor: page.cursor })).body;
    expect([idsOf(rest), rest.cursor]).toEqual([['1'], null]);
    expect(idsOf((await (await operators.house()).campaigns()).body)).toEqual([]);
  });

  it('that is cancelled gives nothing any more, and takes what is unused', async () => {
    const client = await operators.house();
    await client.createCampaign(CAMPAIGN);
    const request = { campaignID: 'welcome', grants: [to('anna'), to('ben')] };
    const given = await client.giveGrants(request);
    const cancelled = await client.cancelCampaign('welcome', { reason: 'a mistake' });
    expect(cancelled.body).toMatchObject({ state: 'cancelled', grants: 2, used: 0, left: 0 });
    expect(await client.cancelCampaign('welcome')).toMatchObject({ status: 200, body: cancelled.body });
    expect((await client.grant('grant-ben')).body).toMatchObject({ state: 'cancelled', left: 0, cancelled: 5 });
    expectRefusal(await client.giveGrants({ ...request, grants: [to('eva')] }), 'ERR_VAL', 'is cancelled');
    expect(await client.giveGrants(request)).toMatchObject({ status: 200, body: given.body });
    expect(await eventsOf(client)).toEqual([
      `campaign_created campaign welcome of operator ${client.code}`,
      `grants_given operator ${client.code}`,
      `campaign_cancelled campaign welcome of operator ${client.code}`,
    ]);
  });

  it('that is cancelled while its grants are given leaves none open', async () => {
    const client = await operators.house();
    for (let turn = 0; turn < 5; turn += 1) {
      const campaignID = `race-${turn}`;
      await client.createCampaign({ ...CAMPAIGN, campaignID });
      const giving = Array.from({ length: 5 }, (_, index) =>
        client.giveGrants({ campaignID, grants: [to(`p${index}`, `${campaignID}-${index}`)] }),
      );
      await Promise.all([...giving, client.cancelCampaign(campaignID)]);
      expect((await client.campaign(campaignID)).body).toMatchObject({ state: 'cancelled', left: 0 });
    }
  });
});

it('what is unknown, or of another operator, is 404', async () => {
  const [client, other] = [await operators.house(), await operators.house()];
  await other.createCampaign(CAMPAIGN);
  await other.giveGrants({ campaignID: 'welcome', grants: [to('anna', 'theirs')] });
  for (const id of ['welcome', 'theirs', 'a\u0000', '😀']) {
    for (const name of ['campaign', 'cancelCampaign', 'grant', 'cancelGrant'] as const)
      expectRefusal(await client[name](id), 'NOT_FOUND', 'no such');
  }
  expectRefusal(await client.giveGrants({ campaignID: 'welcome', grants: [to('anna')] }), 'NOT_FOUND', 'campaign');
});

it.each<[string, object]>([
  ['neither campaign nor terms', { grants: [to('anna')] }],
  ['both', { campaignID: 'welcome', terms: TERMS, grants: [to('anna')] }],
  ['no grants', { campaignID: 'welcome', grants: [] }],
  ['a grantID that no database can hold', { terms: TERMS, grants: [to('anna', 'a\u0000')] }],
  ['a player that no database can hold', { terms: TERMS, grants: [to('\ud83d')] }],
  ['the same grantID twice', { terms: TERMS, grants: [to('anna', 'once'), to('ben', 'once')] }],
  ['a currency without a bet', { terms: TERMS, grants: [to('anna'), to('ben', 'g', 'JPY')] }],
  [
    'an expiry before the start',
    { terms: { ...TERMS, startsAt: fromNow(2), playWithinHours: 1 }, grants: [to('anna')] },
  ],
])('a request with %s is ERR_VAL, and gives nothing', async (_, body) => {
  const client = await operators.house();
  await expectNothingChanged(server, async () => expect(refusalOf(await client.giveGrants(body))).toEqual(INVALID));
});

it('a list with any cursor is 200 or 400, also with one that the server never gave', async () => {
  const client = await operators.house();
  for (const cursor of ['x', 'LTE', Buffer.from('9007199254740991').toString('base64url')]) {
    const lists = [client.campaigns({ cursor }), client.grants({ cursor }), client.changes({ cursor })];
    for (const { status } of await Promise.all(lists)) expect([200, 400]).toContain(status);
  }
});

/** Returns what the log of significant events says of this operator, the oldest first. */
async function eventsOf({ code }: { code: string }): Promise<string[]> {
  const where = { actor: `operator:${code}` };
  const events = await server.db.significantEvent.findMany({ where, orderBy: { id: 'asc' } });
  return events.map(({ kind, subject }) => `${kind} ${subject}`);
}
