import { describe, expect, it } from 'vitest';
import { setOperator } from '../../../src/store/operators/operators.ts';
import { listEvents } from '../../../src/store/watch/significantEvents.ts';
import { useTestAdmin } from '../../support/adminServer.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { OPERATOR, UNIT, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();
const admin = useTestAdmin(server);
const manager = () => admin.as({ role: 'gameManager' });
const ofOther = () => admin.as({ role: 'gameManager', operator: 'other' });
const params = { operator: OPERATOR };

const HOUR_MS = 3_600_000;
const fromNow = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const TERMS = { gameIDs: ['fixture'], mode: 'ANTE', bets: { USD: UNIT }, rounds: 3, endsAt: fromNow(48) };
const create = (campaignID: string, more: object = {}) =>
  manager().call('createCampaign', { params, body: { ...TERMS, campaignID, ...more } });
const give = (campaignID: string, players: string[], newPlayers = true) => {
  const grants = players.map((playerID) => ({ grantID: `${campaignID}-${playerID}`, playerID, currency: 'USD' }));
  return manager().call('giveGrants', { params, body: { campaignID, grants, newPlayers } });
};
const follow = async (campaignID: string) =>
  (await manager().call('getCampaign', { params: { ...params, campaignID } })).body;

describe('a campaign of the console', () => {
  it('is created by the rules of the operator API, by the user as actor', async () => {
    const { status, body } = await create('one');
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ campaignID: 'one', operator: OPERATOR, state: 'open' }),
    ]);
    const [event] = await listEvents(server.db, { kind: 'campaign_created', subject: 'campaign one' });
    expect(event?.actor).toBe('user:gameManager@server.example');
    expect((await create('one')).status).toBe(200);
    expect((await create('one', { rounds: 4 })).status).toBe(400);
  });

  it('is refused with the name of the field, also when it is only priced', async () => {
    const change = { bets: { USD: 300_000 } };
    const refused = await create('bad', change);
    const { message, fields } = refused.body;
    expect([refused.status, message, Object.keys(fields)]).toEqual([
      400,
      expect.stringMatching(/^bets\.USD: /),
      ['bets.USD'],
    ]);
    const priced = await manager().call('priceTerms', { params, body: { ...TERMS, ...change } });
    expect(priced.body).toEqual(refused.body);
    expect((await manager().call('getCampaign', { params: { ...params, campaignID: 'bad' } })).status).toBe(404);
  });

  it('has a price before it is created: the bets of one player, and the most that can be won', async () => {
    const { body } = await manager().call('priceTerms', { params, body: { ...TERMS, bets: { USD: UNIT, EUR: UNIT } } });
    // ANTE costs 1.25 bets and pays 1000 at most.
    const price = { cost: String(3 * 1_250_000), liability: String(3 * 1000 * UNIT) };
    expect(body).toEqual({
      perGrant: [
        { currency: 'EUR', ...price },
        { currency: 'USD', ...price },
      ],
    });
  });

  it('is followed: given, used, won, cost and what it can still cost', async () => {
    await create('followed', { automatic: true });
    const sessionID = await server.liveSession();
    const { externalId } = await server.db.player.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect((await give('followed', [externalId, 'ben'])).body.given).toBe(2);
    await server.playBook(sessionID, BOOK.pays150, { mode: 'ANTE' });
    await server.endRound(sessionID);
    const { progress, perGrant } = await follow('followed');
    expect(progress).toEqual([
      {
        ...{ currency: 'USD', grants: 2, given: 6, used: 1, left: 5, expired: 0, cancelled: 0, openRounds: 0 },
        ...{ won: '1500000', cost: '1250000', costLeft: '6250000', liability: String(5 * 1000 * UNIT) },
      },
    ]);
    expect(perGrant).toEqual([{ currency: 'USD', cost: '3750000', liability: String(3 * 1000 * UNIT) }]);
  });

  it('is cancelled with a reason: nothing is given any more and unused rounds are gone', async () => {
    await create('ended');
    await give('ended', ['carl']);
    const key = { params: { ...params, campaignID: 'ended' } };
    expect((await manager().call('cancelCampaign', key)).status).toBe(400);
    const cancelled = await manager().call('cancelCampaign', { ...key, body: { reason: 'a mistake' } });
    expect(cancelled.body.state).toBe('cancelled');
    expect((await follow('ended')).progress).toMatchObject([{ left: 0, cancelled: 3, liability: '0' }]);
    expect((await give('ended', ['dora'])).status).toBe(400);
    const [event] = await listEvents(server.db, { kind: 'campaign_cancelled' });
    expect(event).toMatchObject({
      actor: 'user:gameManager@server.example',
      after: expect.stringContaining('a mistake'),
    });
  });

  it('is listed, the newest first, page by page', async () => {
    const { body } = await manager().call('listCampaigns', { query: { limit: 2 } });
    expect(body.items.map(({ campaignID }: { campaignID: string }) => campaignID)).toEqual(['ended', 'followed']);
    const next = await manager().call('listCampaigns', { query: { limit: 2, cursor: body.cursor } });
    expect(next.body).toMatchObject({ items: [{ campaignID: 'one' }], cursor: null });
  });
});

describe('a grant of the console', () => {
  it('goes to a player whom the server does not know only when new players may get it', async () => {
    await create('strict');
    const { status, body } = await give('strict', ['stranger', 'other-stranger'], false);
    const newPlayers = 'the server does not know 2 of these players yet, the first is stranger';
    expect([status, body.fields]).toEqual([400, { newPlayers }]);
    expect((await give('strict', ['stranger'])).status).toBe(200);
    expect((await give('strict', ['stranger'], false)).status).toBe(200);
  });

  it('is cancelled with a reason, and found by player and state', async () => {
    await create('single');
    await give('single', ['fred', 'gina']);
    const cancelled = await manager().call('cancelGrant', {
      params: { ...params, grantID: 'single-fred' },
      body: { reason: 'twice' },
    });
    expect(cancelled.body).toMatchObject({ state: 'cancelled', left: 0, cancelled: 3 });
    const { body } = await manager().call('listGrants', { params, query: { campaignID: 'single', state: 'offered' } });
    expect(body.items).toEqual([expect.objectContaining({ playerID: 'gina' })]);
  });
});

describe("a user of another operator's", () => {
  it('finds nothing, changes nothing, and gets the responses of what does not exist', async () => {
    await setOperator(server.db, 'other', {});
    await create('secret');
    await give('secret', ['hugo']);
    const reason = { reason: 'none' };
    const attempts = [
      ofOther().call('getCampaign', { params: { ...params, campaignID: 'secret' } }),
      ofOther().call('createCampaign', { params, body: { ...TERMS, campaignID: 'theirs' } }),
      ofOther().call('cancelCampaign', { params: { ...params, campaignID: 'secret' }, body: reason }),
      ofOther().call('listGrants', { params }),
      ofOther().call('giveGrants', {
        params,
        body: { campaignID: 'secret', grants: [{ grantID: 'x', playerID: 'ida', currency: 'USD' }] },
      }),
      ofOther().call('cancelGrant', { params: { ...params, grantID: 'secret-hugo' }, body: reason }),
      ofOther().call('priceTerms', { params, body: TERMS }),
    ];
    for (const { status } of await Promise.all(attempts)) expect(status).toBe(404);
    expect((await ofOther().call('listCampaigns', { query: { operator: OPERATOR } })).body.items).toEqual([]);
    expect((await follow('secret')).progress).toMatchObject([{ grants: 1, left: 3 }]);
  });
});
