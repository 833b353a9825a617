import { beforeAll, describe, expect, it } from 'vitest';
import { voidRound } from '../../../src/ledger/voidAndComplete.ts';
import { performanceRows } from '../../../src/staff/reports/performanceReport.ts';
import { setOperator } from '../../../src/store/operators/operators.ts';
import { readPerformance } from '../../../src/store/staff/performance.ts';
import { useTestAdmin } from '../../support/adminServer.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { giveGrant } from '../../support/grants.ts';
import { ageRounds, HOUR_MS } from '../../support/moveTime.ts';
import { OPERATOR, UNIT, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();
const admin = useTestAdmin(server);
const finance = () => admin.as({ role: 'finance' });
const ofOther = () => admin.as({ role: 'finance', operator: 'other' });
let today: string;
const days = () => ({ from: today, to: today });

beforeAll(async () => {
  await setOperator(server.db, 'other', {});
  const paying = await server.liveSession();
  await server.playBook(paying, BOOK.pays150);
  await server.endRound(paying);
  await server.playBook(paying, BOOK.pays0);
  await server.endRound(paying);
  const inEuro = await server.liveSession({ currency: 'EUR' });
  await server.playBook(inEuro, BOOK.pays20);
  await server.endRound(inEuro);
  const { body } = await server.playBook(paying, BOOK.pays20);
  const operator = await server.db.operator.findUniqueOrThrow({ where: { code: OPERATOR } });
  await voidRound(server.db, { operatorID: operator.id, roundID: BigInt(body.round.betID), reason: 'a test' });
  // The operator pays the bet of one more round.
  const { id } = await server.db.player.findFirstOrThrow({ orderBy: { id: 'asc' } });
  const account = await server.db.account.findFirstOrThrow({ where: { playerId: id } });
  const game = await server.db.game.findFirstOrThrow();
  await giveGrant(server.db, { accountID: account.id, gameID: game.id, automatic: true, given: 1 });
  await server.playBook(paying, BOOK.pays150);
  await server.endRound(paying);
  const left = await server.liveSession();
  await server.playBook(left, BOOK.pays100000);
  await ageRounds(server, left, 2 * HOUR_MS);
  const [closed] = await server.db.$queryRaw<{ day: string }[]>`SELECT max(ended_at)::date::text AS day FROM rounds`;
  today = closed?.day ?? '';
});

describe('the report of revenue', () => {
  const usd = {
    ...{ currency: 'USD', rounds: 2, bets: '2000000', payouts: '1500000', ggr: '500000' },
    ...{ freeRounds: 1, freeBets: '1000000', freePayouts: '1500000', voidRounds: 1, voidBets: '1000000' },
  };
  const eur = {
    ...{ currency: 'EUR', rounds: 1, bets: '1000000', payouts: '200000', ggr: '800000' },
    ...{ freeRounds: 0, freeBets: '0', freePayouts: '0', voidRounds: 0, voidBets: '0' },
  };

  it('has a sum for each currency, free and void rounds apart', async () => {
    const { body } = await finance().call('getRevenue', { query: days() });
    const none = { day: null, operator: null, game: null };
    expect(body).toEqual({
      items: [
        { ...none, ...eur },
        { ...none, ...usd },
      ],
      totals: [eur, usd],
      isCut: false,
    });
  });

  it.each([
    ['day', { day: true, operator: false, game: false }],
    ['operator', { day: false, operator: true, game: false }],
    ['game', { day: false, operator: false, game: true }],
    ['day,operator,game', { day: true, operator: true, game: true }],
  ])('is grouped by %s', async (by, keys) => {
    const { body } = await finance().call('getRevenue', { query: { ...days(), by, currency: 'USD' } });
    const group = {
      day: keys.day ? today : null,
      operator: keys.operator ? OPERATOR : null,
      game: keys.game ? 'fixture' : null,
    };
    expect(body.items).toEqual([{ ...group, ...usd }]);
  });

  it('shows another operator nothing, whatever it requests', async () => {
    const { body } = await ofOther().call('getRevenue', { query: { ...days(), operator: OPERATOR } });
    expect(body).toEqual({ items: [], totals: [], isCut: false });
  });

  it.each([
    ['without days', {}],
    ['with days in the wrong order', { from: '2026-02-02', to: '2026-02-01' }],
    ['of more than a year', { from: '2025-01-01', to: '2026-12-31' }],
    ['of a day that is none', { from: '2026-02-30', to: '2026-03-01' }],
    ['of a group that is none', { from: '2026-02-01', to: '2026-02-01', by: 'player' }],
    ['of an operator that no database holds', { from: '2026-02-01', to: '2026-02-01', operator: 'a\u0000' }],
  ])('is refused %s', async (_what, query) => {
    expect((await finance().call('getRevenue', { query })).status).toBe(400);
  });
});

describe('the report of performance', () => {
  it('has the rows of the command', async () => {
    const interval = { from: today, to: today };
    const outcome = await readPerformance(server.db, interval);
    if (!outcome.ok) throw new Error(outcome.unknown);
    const { body } = await finance().call('getPerformance', { query: days() });
    expect(body).toMatchObject({ from: today, to: today, items: performanceRows({ ...outcome, ...interval }) });
    expect(body.items).toHaveLength(3);
  });

  it('has one line for an operator without activity, and no other operator', async () => {
    const { body } = await ofOther().call('getPerformance', { query: { ...days(), operator: OPERATOR } });
    expect(body.items).toEqual([expect.objectContaining({ operator: 'other', activity: false, bets: null })]);
  });

  it('does not know an operator or a game that does not exist', async () => {
    expect((await finance().call('getPerformance', { query: { operator: 'nobody' } })).status).toBe(404);
    expect((await finance().call('getPerformance', { query: { game: 'nothing' } })).status).toBe(404);
  });
});

describe('the report of RTP', () => {
  it('compares rounds with the lookup table', async () => {
    const { body } = await finance().call('getRtpReport', { query: days() });
    expect(body.items).toContainEqual(
      expect.objectContaining({
        game: 'fixture',
        mode: 'BASE',
        currency: 'EUR',
        rounds: '1',
        bets: '1000000',
        rtp: 0.2,
      }),
    );
    expect((await ofOther().call('getRtpReport', { query: days() })).body.items).toEqual([]);
  });
});

describe('the list of interrupted rounds', () => {
  it('has open rounds that wait for an hour, and those of no other operator', async () => {
    const { body } = await finance().call('listInterruptedRounds');
    expect(body).toEqual({
      items: [expect.objectContaining({ operator: OPERATOR, gameID: 'fixture', debit: UNIT, payout: 1000 * UNIT })],
      cursor: null,
    });
    expect((await ofOther().call('listInterruptedRounds', { query: { operator: OPERATOR } })).body.items).toEqual([]);
  });

  it('is read page by page, each round once', async () => {
    const second = await server.liveSession();
    await server.playBook(second, BOOK.pays20);
    await ageRounds(server, second, 2 * HOUR_MS);
    const first = await finance().call('listInterruptedRounds', { query: { limit: 1 } });
    const { body } = await finance().call('listInterruptedRounds', { query: { limit: 1, cursor: first.body.cursor } });
    expect(body.cursor).toBeNull();
    expect(first.body.items[0].betID).toBeGreaterThan(body.items[0].betID);
    expect((await finance().call('listInterruptedRounds', { query: { cursor: 'none' } })).status).toBe(400);
  });
});
