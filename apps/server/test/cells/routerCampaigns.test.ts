import { describe, expect, it } from 'vitest';
import { unknown } from './fakeCell.ts';
import { useRouter } from './useRouter.ts';

const { used, cell, counts, send } = useRouter({ cells: 3 });
const CAMPAIGNS = '/operator/free-rounds/campaigns';

function campaignOf(id: number, more: object = {}) {
  const createdAt = new Date(Date.UTC(2026, 0, 1, 0, 0, id)).toISOString();
  const counters = { grants: id, used: 10 * id, left: 100 * id };
  return {
    campaignID: 'c',
    rounds: 5,
    createdAt,
    startsAt: createdAt,
    endsAt: '2999-01-01T00:00:00Z',
    state: 'open',
    ...counters,
    ...more,
  };
}

const everyCellHas = (more: object = {}) => {
  for (const each of used.cells) each.answer({ body: campaignOf(each.id, more) });
};

describe.each([
  ['POST', CAMPAIGNS, { campaignID: 'c' }],
  ['GET', `${CAMPAIGNS}/c`, undefined],
  ['POST', `${CAMPAIGNS}/c/cancel`, {}],
] as const)('%s %s', (method, path, body) => {
  it('sends a request to each cell once, and sums the counters', async () => {
    everyCellHas();
    const response = await send(method, path, body);
    const { createdAt } = campaignOf(1);
    const { startsAt } = campaignOf(3);
    const sums = { grants: 6, used: 60, left: 600 };
    expect([response.status, response.body]).toEqual([200, { ...campaignOf(1), createdAt, startsAt, ...sums }]);
    expect(response.headers.get('roundhouse-cell')).toBe('1,2,3');
    expect(counts()).toEqual([1, 1, 1]);
  });

  it('names the cell that is away, and the same request succeeds later', async () => {
    everyCellHas();
    cell(3).answer(() => 'cut');
    const failed = await send(method, path, body);
    expect([failed.status, failed.body.error]).toEqual([500, 'ERR_GEN']);
    expect(failed.body.message).toContain('eu-3 (UND_ERR_SOCKET)');
    everyCellHas();
    expect((await send(method, path, body)).status).toBe(200);
  });

  it('passes on the words of the first cell when it refuses', async () => {
    everyCellHas();
    const words = { error: 'ERR_VAL', message: 'endsAt: has passed' };
    cell(1).answer({ status: 400, body: words });
    const { status, body: received } = await send(method, path, body);
    expect([status, received]).toEqual([400, words]);
    if (method === 'POST') expect(counts()).toEqual([1, 0, 0]);
  });
});

it('a campaign that a later cell refuses says where it is done, and why not there', async () => {
  everyCellHas();
  cell(2).answer({ status: 400, body: { error: 'ERR_VAL', message: 'gameIDs: x is not there' } });
  const { status, body } = await send('POST', CAMPAIGNS, {});
  expect([status, body.error]).toEqual([500, 'ERR_GEN']);
  expect(body.message).toContain('cell eu-2 responds with 400: gameIDs: x is not there');
  expect(body.message).toContain('done in eu-1, eu-3');
});

it('a campaign that one cell does not have is cancelled in the others, and not shown while it goes on', async () => {
  everyCellHas();
  cell(1).answer(unknown);
  expect((await send('POST', `${CAMPAIGNS}/c/cancel`, {})).body).toMatchObject({ used: 50 });
  const shown = await send('GET', `${CAMPAIGNS}/c`);
  expect([shown.status, shown.body.message]).toEqual([
    500,
    'campaign c: cell eu-1 does not have it, cell eu-2 has: create it again',
  ]);
  everyCellHas({ state: 'cancelled' });
  cell(1).answer(unknown);
  expect((await send('GET', `${CAMPAIGNS}/c`)).body).toMatchObject({ used: 50, state: 'cancelled' });
});

it.each([
  ['GET', `${CAMPAIGNS}/c`],
  ['POST', `${CAMPAIGNS}/c/cancel`],
])('%s %s is 404 when no cell has the campaign', async (method, path) => {
  for (const each of used.cells) each.answer(unknown);
  const { status, body } = await send(method, path, method === 'GET' ? undefined : {});
  expect([status, body]).toEqual([404, unknown.body]);
});

it('a list has each campaign once, page by page, and refuses one that a cell does not have', async () => {
  const ids = ['e', 'd', 'c', 'b', 'a'];
  const serve = (lacking: readonly string[]) => {
    for (const each of used.cells) {
      const own = ids.filter((id) => each.id !== 2 || !lacking.includes(id));
      each.answer(({ url }) => {
        const query = new URL(url, 'http://cell').searchParams;
        const cursor = query.get('cursor');
        const part = cursor === null ? undefined : JSON.parse(Buffer.from(cursor, 'base64url').toString())[each.id];
        const from = part === undefined ? 0 : own.indexOf(part) + 1;
        const page = own.slice(from, from + Number(query.get('limit')));
        return {
          headers: { 'roundhouse-cursors': page.join(',') },
          body: {
            campaigns: page.map((campaignID) => campaignOf(each.id, { campaignID })),
            cursor: from + page.length < own.length ? page.at(-1) : null,
          },
        };
      });
    }
  };
  serve([]);
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body, status }: { body: any; status: number } = await send(
      'GET',
      `${CAMPAIGNS}?limit=2${cursor && `&cursor=${cursor}`}`,
    );
    expect(status, JSON.stringify(body)).toBe(200);
    for (const campaign of body.campaigns) expect(campaign.left).toBe(600);
    seen.push(...body.campaigns.map(({ campaignID }: { campaignID: string }) => campaignID));
    cursor = body.cursor;
  }
  expect(seen).toEqual(ids);
  serve(['a']);
  const refused = await send('GET', `${CAMPAIGNS}?limit=100`);
  expect([refused.status, refused.body.message]).toEqual([
    500,
    'campaign a: cell eu-2 does not have it, cell eu-1 has: create it again',
  ]);
});
