import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type FakeResponse, fleetOfCells, misdirected, playerOfCell } from './fakeCell.ts';
import { useRouter } from './useRouter.ts';

const { used, cell, counts, send } = useRouter({ cells: 3 });

type Row = Record<string, unknown> & { cursor: string };

/**
 * A list as cells have it: with a page, a cursor behind each row, and their own part of a cursor.
 */
function listed(id: number, rows: readonly Row[], name: string, isFeed = false) {
  return ({ url }: { url: string }): FakeResponse => {
    const query = new URL(url, 'http://cell').searchParams;
    const limit = Number(query.get('limit') ?? 50);
    const sent = query.get('cursor');
    const part = sent === null ? undefined : partOf(sent, id);
    const from = part === undefined ? 0 : rows.findIndex(({ cursor }) => cursor === part) + 1;
    const page = rows.slice(from, from + limit);
    const last = page.at(-1)?.cursor;
    const next = isFeed ? (last ?? part ?? null) : from + limit < rows.length ? last : null;
    return {
      headers: { 'roundhouse-cursors': page.map(({ cursor }) => cursor).join(',') },
      body: { [name]: page.map(({ cursor: _cursor, ...row }) => row), cursor: next },
    };
  };
}

function partOf(cursor: string, id: number): string | undefined {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())[id];
  } catch {
    // A plain cursor is of the first cell.
    return id === 1 ? cursor : undefined;
  }
}

const timeOf = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

/** Reads all pages, and returns each page's rows. */
async function pagesOf(path: string, name: string, limit: number): Promise<Record<string, unknown>[][]> {
  const pages: Record<string, unknown>[][] = [];
  let cursor: string | null = null;
  do {
    const query: string = `limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
    const { status, body, headers } = await send('GET', `${path}?${query}`);
    expect([status, headers.get('roundhouse-cell')], JSON.stringify(body)).toEqual([200, '1,2,3']);
    pages.push(body[name]);
    cursor = body.cursor;
  } while (cursor !== null && pages.length < 1_000);
  return pages;
}

describe.each([
  ['/operator/rounds', 'rounds', 'openedAt', 'betID'],
  ['/operator/free-rounds/grants', 'grants', 'createdAt', 'grantID'],
])('%s', (path, name, at, key) => {
  /** Rows in seconds that no other row has, the newest first, split over the cells at random. */
  function split(count: number): Record<string, unknown>[] {
    const cells: Row[][] = [[], [], []];
    const all = Array.from({ length: count }, (_, row) => ({ [key]: `row-${row}`, [at]: timeOf(count - row) }));
    for (const [row, value] of all.entries()) cells[randomInt(3)]?.push({ ...value, cursor: `c${row}` });
    for (const [index, rows] of cells.entries()) cell(index + 1).answer(listed(index + 1, rows, name));
    return all;
  }

  it.each([1, 3, 7, 50])('with pages of %i has each row of all cells once, newest first', async (limit) => {
    const all = split(100);
    const pages = await pagesOf(path, name, limit);
    expect(pages.flat()).toEqual(all);
    for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
  });

  it('is empty where no cell has a row', async () => {
    split(0);
    expect((await send('GET', path)).body).toEqual({ [name]: [], cursor: null });
  });

  it('shows a row once that two cells have, because its player is moving', async () => {
    const row = { [key]: 'moved', [at]: timeOf(5), cursor: 'a' };
    for (const id of [1, 2, 3]) cell(id).answer(listed(id, id === 3 ? [] : [row], name));
    expect(await pagesOf(path, name, 10)).toEqual([[{ [key]: 'moved', [at]: timeOf(5) }]]);
  });

  it('ends a page before rows that a cell has not shown yet, even without a row', async () => {
    const older = [{ [key]: 'older', [at]: timeOf(1), cursor: 'b' }];
    cell(1).answer(({ url }) =>
      url.includes('cursor=')
        ? listed(1, [{ [key]: 'newer', [at]: timeOf(9), cursor: 'a' }], name)({ url: '/' })
        : { headers: { 'roundhouse-cursors': '' }, body: { [name]: [], cursor: 'searched' } },
    );
    cell(2).answer(listed(2, older, name));
    cell(3).answer(listed(3, [], name));
    const pages = await pagesOf(path, name, 10);
    expect(pages.map((page) => page.map((row) => row[key]))).toEqual([[], ['newer', 'older']]);
  });

  it('is refused with the name of a cell that is away, and never a part', async () => {
    split(9);
    cell(2).answer(() => 'cut');
    const response = await send('GET', path);
    expect([response.status, response.body.error]).toEqual([500, 'ERR_GEN']);
    expect(response.body.message).toContain('cell eu-2 (UND_ERR_SOCKET) does not respond');
    expect(response.headers.get('retry-after')).toBe('2');
    cell(2).forget();
    split(9);
    expect((await send('GET', path)).status).toBe(200);
  });

  it('passes on what a cell refuses, in its words', async () => {
    split(3);
    const words = { error: 'ERR_VAL', message: 'limit: is too large' };
    cell(3).answer({ status: 400, body: words });
    const { status, body, headers } = await send('GET', `${path}?limit=9999`);
    expect([status, body, headers.get('roundhouse-cell')]).toEqual([400, words, '3']);
  });

  it.each<[string, FakeResponse]>([
    ['a 421 without a body', { status: 421, body: {} }],
    ['a 421 that names a cell', misdirected(2)],
    ['another cell in its header', { headers: { 'roundhouse-cell': '2' }, body: { [name]: [], cursor: null } }],
    ['a refusal without a code', { status: 400, body: {} }],
    ['a way to another address', { status: 302, headers: { location: 'https://elsewhere.example/' }, body: {} }],
    ['no cursors', { body: { [name]: [{ [key]: 'x' }], cursor: null } }],
    ['no list', { body: { cursor: null } }],
    ['no JSON', { body: '<html>' }],
  ])('is refused when a cell responds with %s', async (_what, response) => {
    split(3);
    cell(1).answer(response);
    const { status, body } = await send('GET', path);
    expect([status, body.error]).toEqual([500, 'ERR_GEN']);
    expect(body.message).toContain('cell eu-1');
  });

  it('continues from a plain cursor of the first cell, with all rows of the others', async () => {
    cell(1).answer(
      listed(
        1,
        [1, 2].map((n) => ({ [key]: `a${n}`, [at]: timeOf(9 - n), cursor: `a${n}` })),
        name,
      ),
    );
    cell(2).answer(listed(2, [{ [key]: 'b', [at]: timeOf(1), cursor: 'b' }], name));
    cell(3).answer(listed(3, [], name));
    const { body } = await send('GET', `${path}?cursor=a1`);
    expect(body[name].map((row: Row) => row[key])).toEqual(['a2', 'b']);
  });
});

it('the grants of one player come from the cell of the player, page by page', async () => {
  const fleet = fleetOfCells(used.cells);
  const playerID = playerOfCell(fleet, 2);
  const body = { grants: [{ grantID: 'g-1' }], cursor: 'their-own' };
  cell(2).answer({ headers: { 'roundhouse-cursors': 'their-own' }, body });
  const path = `/operator/free-rounds/grants?playerID=${playerID}`;
  for (const page of [path, `${path}&cursor=their-own`]) {
    const response = await send('GET', page);
    expect([response.body, response.headers.get('roundhouse-cell')]).toEqual([body, '2']);
  }
  expect(counts()).toEqual([0, 2, 0]);
});

describe('/operator/free-rounds/changes', () => {
  const path = '/operator/free-rounds/changes';
  const grant = (id: string) => ({ grantID: id, cursor: id });

  it('a poll never misses a change of any cell, and no cell keeps another one waiting', async () => {
    const rows: Row[][] = [Array.from({ length: 40 }, (_, at) => grant(`a${at}`)), [grant('b0')], []];
    const serve = () => {
      for (const [at, own] of rows.entries()) cell(at + 1).answer(listed(at + 1, own, 'grants', true));
    };
    serve();
    const first = await send('GET', `${path}?limit=4`);
    expect(first.body.grants.map((row: Row) => row.grantID)).toEqual(['a0', 'b0', 'a1', 'a2']);
    const seen: string[] = first.body.grants.map((row: Row) => row.grantID);
    let { cursor } = first.body;
    rows[2]?.push(grant('c0'));
    rows[1]?.push(grant('b1'));
    serve();
    for (let empty = 0; empty < 2; ) {
      const { body } = await send('GET', `${path}?limit=4&cursor=${cursor}`);
      cursor = body.cursor;
      seen.push(...body.grants.map((row: Row) => row.grantID));
      empty += body.grants.length === 0 ? 1 : 0;
    }
    expect(seen.sort()).toEqual(
      rows
        .flat()
        .map(({ grantID }) => grantID)
        .sort(),
    );
  });

  it('has no cursor before the first change of all', async () => {
    for (const id of [1, 2, 3]) cell(id).answer(listed(id, [], 'grants', true));
    expect((await send('GET', path)).body).toEqual({ grants: [], cursor: null });
  });
});

it('an operator in one cell gets the response of that cell as it is', async () => {
  const response = { headers: { 'roundhouse-cursors': 'x' }, body: '{"rounds": [ 1 ],  "cursor":"x"}' };
  const fleet = { version: 2, cells: used.cells.map(({ id, name, url }) => ({ name, numbers: [id], url })) };
  const everybody = { cells: used.cells.map(({ name }) => name) };
  used.router.replace({ ...fleet, placements: [{ operators: ['alone'], cells: ['eu-2'] }, everybody] });
  cell(2).answer(response);
  const { text, headers } = await send('GET', '/operator/rounds', undefined, { 'x-roundhouse-operator': 'alone' });
  expect([text, headers.get('roundhouse-fleet'), headers.get('roundhouse-cursors')]).toEqual([
    response.body,
    '2',
    null,
  ]);
  expect(counts()).toEqual([0, 1, 0]);
});
