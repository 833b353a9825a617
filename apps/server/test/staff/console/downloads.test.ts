import { adminContract } from '@roundhouse/contract/admin';
import { readXlsx } from 'hucre/xlsx';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { headingOf } from '../../../src/staff/console/downloads/files.ts';
import { TABLES } from '../../../src/staff/console/downloads/tables.ts';
import { estimateRows } from '../../../src/store/database/estimateRows.ts';
import { setOperator } from '../../../src/store/operators/operators.ts';
import { listEvents } from '../../../src/store/watch/significantEvents.ts';
import type { TestUser } from '../../support/adminServer.ts';
import { useTestAdmin } from '../../support/adminServer.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { succeed } from '../../support/roundhouse.ts';
import { OPERATOR, UNIT, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();
const admin = useTestAdmin(server);
const FINANCE: TestUser = { role: 'finance' };
/** A spreadsheet would run each of these as a formula. */
const FORMULAS = ['=1+1', '+1', '-1', '@SUM(A1)'];
let today: string;
let somebody: string;

const download = (table: string, query: Record<string, string> = {}, user: TestUser = FINANCE) =>
  admin.send(`/admin/downloads/${table}?${new URLSearchParams(query)}`, { method: 'GET', user });

/** Returns the cells of the one sheet. */
async function sheetOf(table: string, query: Record<string, string> = {}) {
  const user = JSON.stringify({ role: 'gameManager' });
  const search = new URLSearchParams({ ...query, format: 'xlsx' });
  const response = await fetch(`${admin.url}/admin/downloads/${table}?${search}`, { headers: { 'x-test-user': user } });
  expect(response.status).toBe(200);
  const { sheets } = await readXlsx(new Uint8Array(await response.arrayBuffer()));
  return sheets[0]?.rows ?? [];
}

beforeAll(async () => {
  await setOperator(server.db, 'other', {});
  const sessionID = await server.liveSession();
  await server.playBook(sessionID, BOOK.pays150);
  await server.endRound(sessionID);
  const [closed] = await server.db.$queryRaw<{ day: string }[]>`SELECT max(ended_at)::date::text AS day FROM rounds`;
  today = closed?.day ?? '';
  somebody = (await server.db.player.findFirstOrThrow()).externalId;
  const params = { operator: OPERATOR };
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  const terms = { gameIDs: ['fixture'], mode: 'BASE', bets: { USD: UNIT }, rounds: 1, endsAt };
  const manager = admin.as({ role: 'gameManager' });
  await manager.call('createCampaign', { params, body: { ...terms, campaignID: 'many' } });
  const players = [...FORMULAS, ...Array.from({ length: 1500 }, (_, place) => `player-${place}`)];
  const grants = players.map((playerID, place) => ({ grantID: `g${place}`, playerID, currency: 'USD' }));
  expect(
    (await manager.call('giveGrants', { params, body: { campaignID: 'many', grants, newPlayers: true } })).status,
  ).toBe(200);
});

describe('a download as CSV', () => {
  it('of the performance has the rows of the command, and says what its amounts are in', async () => {
    const { text, headers } = await download('performance', { from: today, to: today });
    const env = { DATABASE_URL: server.databaseUrl };
    const command = await succeed(['report', '--period', 'day', '--date', today, '--csv'], { env });
    const withoutTime = (csv: string) => csv.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
    const withoutUnit = (csv: string) => csv.replaceAll(' (in currency)', '');
    expect(text).toContain(',bets (in currency),payouts (in currency),ggr (in currency),');
    expect(withoutTime(withoutUnit(text))).toBe(withoutTime(command));
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="performance-[\d-]+\.csv"$/);
    expect(headers.get('x-rows')).toBe('2');
  });

  it('of revenue has sums in units with six decimals', async () => {
    const { text } = await download('revenue', { from: today, to: today, by: 'day,operator,game' });
    const [, row] = text.trimEnd().split('\n');
    expect(row).toBe(
      `${today},${today},${today},${OPERATOR},fixture,USD,1,1.000000,1.500000,-0.500000,0,0.000000,0.000000,0,0.000000`,
    );
  });

  it('of campaigns names the currency of each bet', async () => {
    const { text } = await download('campaigns', { operator: OPERATOR });
    expect(text).toContain(',fixture,BASE,USD 1.00,');
  });

  it('has every row of a list once, over all of its pages', async () => {
    const { text } = await download('grants', { operator: OPERATOR, campaignID: 'many' });
    const lines = text.trimEnd().split(/\n(?=g\d)/);
    expect(lines).toHaveLength(1 + FORMULAS.length + 1500);
    expect(new Set(lines.map((line) => line.split(',')[0])).size).toBe(lines.length);
  });
});

describe('a download as XLSX', () => {
  it('has numbers for amounts and texts for texts', async () => {
    const [head, row] = await sheetOf('revenue', { from: today, to: today, by: 'day' });
    expect(head?.slice(0, 4)).toEqual(['from', 'to', 'day', 'operator']);
    const cells = Object.fromEntries((head ?? []).map((name, place) => [String(name), row?.[place]]));
    expect(cells).toMatchObject({
      ...{ day: today, currency: 'USD', rounds: 1 },
      ...{ 'bets (in currency)': 1, 'payouts (in currency)': 1.5, 'ggr (in currency)': -0.5 },
    });
  });

  it('has the names that are formulas as they are, as texts', async () => {
    const rows = await sheetOf('grants', { operator: OPERATOR });
    const place = rows[0]?.indexOf('playerID') ?? -1;
    const names = rows.map((row) => row[place]);
    for (const name of FORMULAS) expect(names).toContain(name);
    expect(rows).toHaveLength(1 + FORMULAS.length + 1500);
  });
});

describe('the tables', () => {
  const filters = (table: string) =>
    ({
      revenue: { from: today, to: today },
      grants: { operator: OPERATOR },
      walletTransactions: { state: 'parked' },
      playerSessions: { operator: OPERATOR, playerID: somebody },
    })[table];

  it.each(Object.keys(TABLES))('can be downloaded in both formats: %s', async (table) => {
    const administrator: TestUser = { role: 'administrator' };
    const names = TABLES[table]?.columns.map(headingOf);
    const { status, text } = await download(table, { ...filters(table) }, administrator);
    expect([status, text.split('\n')[0]]).toEqual([200, names?.join(',')]);
    const xlsx = await download(table, { ...filters(table), format: 'xlsx' }, administrator);
    expect([xlsx.status, xlsx.text.slice(0, 2)]).toEqual([200, 'PK']);
  });

  it('are those of all lists that have pages', () => {
    const routes = Object.entries(adminContract as Record<string, { responses: Record<number, unknown> }>);
    const lists = routes.filter(([, { responses }]) => {
      const schema = responses[200];
      return schema instanceof z.ZodObject && 'items' in schema.shape && 'cursor' in schema.shape;
    });
    const downloadable = new Set<string>(Object.values(TABLES).map(({ list }) => list));
    expect(lists.map(([name]) => name).filter((name) => !downloadable.has(name))).toEqual([]);
  });
});

describe('the right to a download', () => {
  it('is the right to its list, and its refusal is an event', async () => {
    const { status } = await download('revenue', { from: today, to: today }, { role: 'support' });
    expect(status).toBe(403);
    const [event] = await listEvents(server.db, { kind: 'access_refused', subject: 'request download' }, 1);
    expect(event).toMatchObject({ actor: 'user:support@server.example', after: expect.stringContaining('revenue') });
  });

  it('reaches the own operator only', async () => {
    const other: TestUser = { role: 'finance', operator: 'other' };
    const revenue = await download('revenue', { from: today, to: today, operator: OPERATOR }, other);
    expect(revenue.text.trimEnd().split('\n')).toHaveLength(1);
    expect((await download('grants', { operator: OPERATOR }, other)).status).toBe(404);
  });

  it.each([
    ['an unknown table', 'nothing', {}, 404],
    ['a name of the language', 'constructor', {}, 404],
    ['another format', 'campaigns', { format: 'pdf' }, 400],
    ['a filter that is none', 'revenue', { from: 'yesterday', to: 'today' }, 400],
    ['no operator where the list needs one', 'grants', {}, 400],
  ])('is refused with %s', async (_what, table, query, status) => {
    const response = await download(table, query as Record<string, string>);
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({ error: 'ERR_VAL' });
  });

  it('is recorded with its filters', async () => {
    await download('campaigns', { operator: OPERATOR });
    const [event] = await listEvents(server.db, { kind: 'console_action', subject: 'request download' }, 1);
    expect(event).toMatchObject({ after: expect.stringContaining(`"operator":"${OPERATOR}"`) });
  });
});

describe('the number of rows', () => {
  it('is that of the last analysis, over several tables', async () => {
    await server.db.$executeRaw`ANALYZE rounds, archived_rounds`;
    expect(await estimateRows(server.db, ['rounds', 'archived_rounds'])).toBe(1);
    expect(await estimateRows(server.db, ['rounds'])).toBe(1);
  });
});
