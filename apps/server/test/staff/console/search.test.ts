import { randomUUID } from 'node:crypto';
import type { SearchGroup } from '@roundhouse/contract/admin';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { listEvents } from '../../../src/store/watch/significantEvents.ts';
import { useTestAdmin } from '../../support/adminServer.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { OPERATOR, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();
const admin = useTestAdmin(server);
const made = { sessionID: '', betID: '', playerID: '' };

beforeAll(async () => {
  const sessionID = await server.liveSession({ playerID: 'anna%5' });
  await server.playBook(sessionID, BOOK.pays150);
  const round = await server.db.round.findFirstOrThrow({ orderBy: { id: 'desc' } });
  const player = await server.db.player.findUniqueOrThrow({ where: { id: round.playerId } });
  await server.endRound(sessionID);
  const { id: operatorId } = await server.db.operator.create({ data: { code: 'acme', name: 'Acme Casino' } });
  await server.db.player.createMany({
    data: ['bob', 'bob-1', 'bob-2', 'bob-3', 'bob-4', 'bob-5', 'bobby'].map((externalId) => ({
      operatorId,
      externalId,
    })),
  });
  Object.assign(made, { sessionID, betID: String(round.id), playerID: player.externalId });
});

async function search(text: string, operator?: string): Promise<SearchGroup[]> {
  const user = { role: 'viewer' as const, ...(operator !== undefined && { operator }) };
  const { status, body } = await admin.as(user).call('search', { body: { text } });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.groups;
}
const of = (groups: SearchGroup[], kind: string) => groups.find((group) => group.kind === kind)?.hits;

describe('search', () => {
  it('finds a round by its betID, in its operator and from the server', async () => {
    const hit = { id: made.betID, operator: OPERATOR, detail: `fixture, ${made.playerID}, ended` };
    expect(of(await search(made.betID), 'round')).toEqual([hit]);
    expect(of(await search(` ${made.betID} `, OPERATOR), 'round')).toEqual([hit]);
    expect(of(await search(made.betID, 'acme'), 'round')).toBeUndefined();
  });

  it('finds players by the beginning of their names, the exact one first, 5 at most', async () => {
    const bobs = ['bob', 'bob-1', 'bob-2', 'bob-3', 'bob-4'].map((id) => ({ id, operator: 'acme', detail: '' }));
    expect(of(await search('bob'), 'player')).toEqual(bobs);
    expect(of(await search('bob', 'acme'), 'player')).toEqual(bobs);
    expect(of(await search('bob', OPERATOR), 'player')).toBeUndefined();
    expect(of(await search('bobby'), 'player')?.map(({ id }) => id)).toEqual(['bobby']);
    expect(of(await search(made.playerID), 'player')?.[0]).toMatchObject({ id: made.playerID, operator: OPERATOR });
    expect(of(await search('b%'), 'player')).toBeUndefined();
    expect(of(await search('b_b'), 'player')).toBeUndefined();
  });

  it('finds a session by its sessionID, which neither the response nor log nor events repeat', async () => {
    const groups = await search(made.sessionID);
    expect(of(groups, 'session')).toEqual([
      {
        id: made.playerID,
        playerID: made.playerID,
        operator: OPERATOR,
        detail: expect.stringMatching(/^fixture, authenticated/),
      },
    ]);
    expect(of(await search(made.sessionID, 'acme'), 'session')).toBeUndefined();
    expect(JSON.stringify(groups)).not.toContain(made.sessionID);
    expect(server.logLines.join('\n')).not.toContain(made.sessionID);
    expect(JSON.stringify(await listEvents(server.db), (_key, value) => String(value))).not.toContain(made.sessionID);
  });

  it('finds a wallet transaction by its transactionID, with or without hyphens, and by the reference of its wallet', async () => {
    const { betID } = made;
    const transactionID = randomUUID();
    await server.db.walletTransaction.create({
      data: {
        ...{ transactionId: transactionID, kind: 'debit', roundId: BigInt(betID), amountMicros: 1n, state: 'parked' },
        ...{ dueAt: new Date(), retryUntil: new Date(), createdAt: new Date(), walletReference: 'bet-88120' },
      },
    });
    // The round has the house wallet: the books do not balance with this row.
    const remove = () => server.db.walletTransaction.delete({ where: { transactionId: transactionID } });
    onTestFinished(async () => void (await remove()));
    const hit = { id: transactionID, operator: OPERATOR, detail: 'debit, parked', betID };
    for (const text of [transactionID, transactionID.toUpperCase(), transactionID.replaceAll('-', ''), 'bet-88120'])
      expect(of(await search(text), 'walletTransaction')).toEqual([hit]);
    for (const text of [transactionID, 'bet-88120'])
      expect(of(await search(text, 'acme'), 'walletTransaction')).toBeUndefined();
  });

  it('finds games by id or title, and operators by code or name; an operator sees itself only', async () => {
    expect(of(await search('FIXT'), 'game')).toEqual([{ id: 'fixture', operator: null, detail: 'Fixture' }]);
    const acme = [{ id: 'acme', operator: 'acme', detail: 'Acme Casino' }];
    expect(of(await search('casino'), 'operator')).toEqual(acme);
    expect(of(await search('casino', 'acme'), 'operator')).toEqual(acme);
    expect(of(await search('casino', OPERATOR), 'operator')).toBeUndefined();
  });

  it('finds campaigns and grants by the ids of their operator', async () => {
    const operator = await server.db.operator.findUniqueOrThrow({ where: { code: OPERATOR } });
    const account = await server.db.account.findFirstOrThrow({ where: { player: { externalId: made.playerID } } });
    const shared = { operatorId: operator.id, gameIds: [1], mode: 'BASE', automatic: true, paidAtEnd: false };
    const [startsAt, endsAt] = [new Date(), new Date(Date.now() + 3_600_000)];
    const campaign = await server.db.campaign.create({
      data: { ...shared, externalId: 'spring', bets: {}, rounds: 1, startsAt, endsAt },
    });
    const grant = { given: 1, left: 1, amountMicros: 1n, startsAt, expiresAt: endsAt, createdAt: startsAt };
    await server.db.grant.create({
      data: { ...shared, ...grant, externalId: 'gift', campaignId: campaign.id, accountId: account.id },
    });
    expect(of(await search('spring'), 'campaign')).toEqual([{ id: 'spring', operator: OPERATOR, detail: '' }]);
    expect(of(await search('spring', 'acme'), 'campaign')).toBeUndefined();
    onTestFinished(async () => {
      await server.db.grant.deleteMany();
      await server.db.campaign.deleteMany();
    });
    const { playerID } = made;
    expect(of(await search('gift', OPERATOR), 'grant')).toEqual([
      { id: 'gift', operator: OPERATOR, campaignID: 'spring', playerID, detail: `${playerID}, offered` },
    ]);
    expect(of(await search('gift', 'acme'), 'grant')).toBeUndefined();
  });

  it('finds nothing for a text that names nothing', async () => {
    for (const text of ["'; DROP TABLE rounds; --", '9'.repeat(40), '0', '-1', '漢', '\\', '\ud800'])
      expect(await search(text), text).toEqual([]);
  });

  it.each([{}, { text: '' }, { text: '  ' }, { text: 'x'.repeat(513) }, { text: 5 }, { text: 'a\u0000b' }])(
    'refuses %j',
    async (body) => {
      expect((await admin.as({ role: 'viewer' }).call('search', { body })).status).toBe(400);
    },
  );
});
