import { idRangeOf } from '@roundhouse/fleet';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { type FakeResponse, fleetOfCells, misdirected, playerOfCell, unknown } from './fakeCell.ts';
import { useRouter } from './useRouter.ts';

const { used, cell, counts, send } = useRouter({ cells: 3 });

const playerOf = (id: number) => playerOfCell(fleetOfCells(used.cells), id);
const launch = (playerID?: string) => send('POST', '/operator/sessions', { gameID: 'x', playerID });
const betOf = (id: number) => String(idRangeOf(id).first);
const FAILED = [500, 'ERR_GEN'];
const refusalOf = ({ status, body }: { status: number; body: any }) => [status, body?.error];

describe('one cell serves the request', () => {
  it('a launch goes to the candidate of its player, and to no other cell', async () => {
    const { status, headers } = await launch(playerOf(2));
    expect([status, headers.get('roundhouse-cell'), headers.get('roundhouse-fleet')]).toEqual([200, '2', '1']);
    expect(counts()).toEqual([0, 1, 0]);
  });

  it('the bytes of the body, path and signature reach the cell unchanged, and own headers do not', async () => {
    const body = '{ "playerID":"p%2F\\u00e9",\n"gameID" : 1 }';
    const path = '/operator/sessions?a=%7E&b=c%20d';
    await request(used.url + path, {
      method: 'POST',
      body,
      headers: {
        'x-roundhouse-operator': 'acme',
        'x-roundhouse-signature': 'v2=00',
        'x-roundhouse-nonce': 'n',
        'x-roundhouse-timestamp': '1',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        'roundhouse-asked': '1@1,2@1',
        'roundhouse-fleet': '77',
        'roundhouse-cell': '3',
        'x-forwarded-for': '9.9.9.9',
        forwarded: 'for=9.9.9.9',
        te: 'trailers',
        'x-request-id': 'mine',
      },
    });
    const [received] = used.cells.flatMap((each) => each.received);
    expect(received).toMatchObject({ method: 'POST', url: path, body });
    expect(received?.headers).toMatchObject({
      'x-roundhouse-operator': 'acme',
      'x-roundhouse-signature': 'v2=00',
      'x-roundhouse-nonce': 'n',
      'x-roundhouse-timestamp': '1',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      'roundhouse-fleet': '1',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': new URL(used.url).host,
      'x-request-id': 'mine',
    });
    for (const name of ['roundhouse-asked', 'roundhouse-cell', 'forwarded', 'te']) {
      expect(received?.headers).not.toHaveProperty(name);
    }
  });

  it('a cell that does not have the player names the next one, which learns which cells had the request', async () => {
    cell(2).answer(misdirected(3));
    cell(3).answer(misdirected(1));
    const { body, headers } = await launch(playerOf(2));
    expect([body.cell, headers.get('roundhouse-cell')]).toEqual([1, '1']);
    expect(cell(1).received[0]?.headers['roundhouse-asked']).toBe('2@1,3@1');
    expect(counts()).toEqual([1, 1, 1]);
  });

  it('no cell gets a request twice: when cells name each other, the versions of the fleet are named', async () => {
    cell(2).answer(misdirected(3));
    cell(3).answer({ ...misdirected(2), headers: { 'roundhouse-cell': '2', 'roundhouse-fleet': '5' } });
    const response = await launch(playerOf(2));
    expect(refusalOf(response)).toEqual(FAILED);
    expect(response.body.message).toBe(
      'no cell serves this request: the fleet file of the router has version 1, eu-2 has version 1, eu-3 has version 5',
    );
    expect(response.headers.get('roundhouse-fleet')).toBe('1');
    expect(counts()).toEqual([0, 1, 1]);
  });

  it('a cell that names one which the fleet file does not have ends with an error as well', async () => {
    cell(2).answer(misdirected(900));
    expect(refusalOf(await launch(playerOf(2)))).toEqual(FAILED);
  });

  it('a launch without a player goes to any cell, which refuses it, where the operator has no home cell', async () => {
    expect((await launch()).body).toEqual({ cell: 1 });
    expect(counts()).toEqual([1, 0, 0]);
  });

  it.each([
    ['POST', '/operator/sessions', 'no JSON'],
    ['POST', '/operator/sessions', '[]'],
    ['POST', '/operator/sessions', '{"playerID":7}'],
    ['POST', '/operator/sessions', '{"playerID":null}'],
    ['POST', '/operator/sessions/end', '{}'],
    ['POST', '/operator/sessions/end', '{"sessionID":[]}'],
    ['POST', '/operator/free-rounds/grants', '{"grants":7}'],
    ['POST', '/operator/free-rounds/grants', '{"grants":[null]}'],
  ])('%s %s with %s goes to a cell, which says what is wrong', async (method, path, body) => {
    const words = { error: 'ERR_VAL', message: 'the words of the cell' };
    for (const each of used.cells) each.answer({ status: 400, body: words });
    expect((await send(method, path, body)).body).toEqual(words);
  });

  it.each([
    ['GET', () => `/operator/rounds/${betOf(3)}`, undefined, 3],
    ['POST', () => `/operator/rounds/${betOf(2)}/void`, {}, 2],
    ['DELETE', () => `/operator/sessions/${encodeURIComponent(`acme:c3.${'a'.repeat(32)}`)}`, undefined, 3],
    ['POST', () => '/operator/sessions/end', { sessionID: `acme:c2.${'a'.repeat(32)}` }, 2],
    ['POST', () => '/operator/sessions/end', { playerID: 'of 3' }, 3],
    ['GET', () => '/operator/games', undefined, 1],
  ])('%s of route %# goes to the cell that it names, first', async (method, path, body, id) => {
    const sent = body !== undefined && 'playerID' in body ? { playerID: playerOf(id) } : body;
    expect((await send(method, path(), sent)).body).toEqual({ cell: id });
    expect(counts()).toEqual([1, 2, 3].map((each) => (each === id ? 1 : 0)));
  });

  it.each([
    ['GET', `/operator/rounds/7`],
    ['GET', '/operator/rounds/nonsense'],
    ['POST', '/operator/rounds/7/void'],
    ['DELETE', '/operator/sessions/acme:their-own'],
    ['GET', '/operator/free-rounds/grants/g-1'],
    ['POST', '/operator/free-rounds/grants/g-1/cancel'],
  ])('%s %s names no cell: each is asked until one knows it', async (method, path) => {
    cell(1).answer(unknown);
    const found = await send(method, path);
    expect(found.body).toEqual({ cell: 2 });
    for (const each of used.cells) each.answer(unknown);
    const missing = await send(method, path);
    expect([missing.status, missing.body]).toEqual([404, unknown.body]);
    expect(counts()).toEqual([2, 2, 1]);
  });

  it('a round whose player has moved is found in another cell than the one of its betID', async () => {
    cell(3).answer(unknown);
    expect((await send('GET', `/operator/rounds/${betOf(3)}`)).body).toEqual({ cell: 1 });
  });
});

describe('a cell is away', () => {
  it.each<[string, FakeResponse | 'cut', RegExp]>([
    ['cuts the connection', 'cut', /eu-2 \(UND_ERR_SOCKET\)/],
    ['has a proxy that says so', { status: 502, headers: { 'roundhouse-fleet': '' } }, /eu-2 \(status 502\)/],
  ])('and %s: its players get an ERR_GEN that names it', async (_how, response, message) => {
    cell(2).answer(() => response);
    const failed = await launch(playerOf(2));
    expect(refusalOf(failed)).toEqual(FAILED);
    expect(failed.body.message).toMatch(message);
    expect(failed.headers.get('retry-after')).toBe('2');
    expect((await launch(playerOf(1))).body).toEqual({ cell: 1 });
    // The breaker counts failures in a row.
    cell(2).forget();
    expect((await launch(playerOf(2))).body).toEqual({ cell: 2 });
  });

  it('what a cell may have is not called unknown while the cell is away', async () => {
    cell(1).answer(unknown);
    cell(2).answer(() => 'cut');
    cell(3).answer(unknown);
    const response = await send('GET', '/operator/free-rounds/grants/g-1');
    expect(refusalOf(response)).toEqual(FAILED);
    expect(response.body.message).toContain('eu-2');
    cell(3).forget();
    expect((await send('GET', '/operator/free-rounds/grants/g-1')).body).toEqual({ cell: 3 });
  });

  it('any other cell lists the games', async () => {
    cell(1).answer(() => 'cut');
    expect((await send('GET', '/operator/games')).body).toEqual({ cell: 2 });
  });

  it('after three failures in a row the cell gets one request in two seconds, until it responds', async () => {
    cell(2).answer(() => 'cut');
    const playerID = playerOf(2);
    for (let times = 0; times < 10; times += 1) await launch(playerID);
    expect(cell(2).received).toHaveLength(3);
    const { body } = await launch(playerID);
    expect(body.message).toContain('eu-2 (its last requests have failed)');
    expect(await (await fetch(`${used.url}/metrics`)).text()).toContain('roundhouse_router_cell_paused{cell="eu-2"} 1');
    cell(2).forget();
    await expect.poll(async () => (await launch(playerID)).status, { interval: 200 }).toBe(200);
  });

  it('a server of no fleet serves no launch', async () => {
    cell(2).answer({ headers: { 'roundhouse-fleet': '' } });
    const response = await launch(playerOf(2));
    expect(refusalOf(response)).toEqual(FAILED);
    expect(response.body.message).toContain('cell eu-2 responds without a fleet');
  });
});

describe('bad requests', () => {
  it.each([
    ['GET', '/operator/nothing', 404],
    ['GET', '/operator', 404],
    ['PUT', '/operator/sessions', 400],
    ['GET', '/operator/sessions', 400],
    ['HEAD', '/operator/rounds', 400],
    ['GET', '/operator/rounds/%E0%A4%A', 404],
    ['GET', '/nothing', 404],
    ['POST', '/wallet/nothing', 404],
    ['GET', '/wallet/play', 400],
  ])('%s %s is %i and reaches no cell', async (method, path, status) => {
    expect((await send(method, path)).status).toBe(status);
    expect(counts()).toEqual([0, 0, 0]);
  });

  it('a request of no operator is 401, as at a cell', async () => {
    const response = await fetch(`${used.url}/operator/games`);
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: 'ERR_VAL', message: 'the signature does not hold: missing' },
    ]);
  });

  it('a request of an operator that is nowhere goes to a cell with a wrong MAC: it is refused as any other', async () => {
    const fleet = { version: 2, cells: used.cells.map(({ id, name, url }) => ({ name, numbers: [id], url })) };
    used.router.replace({ ...fleet, placements: [{ operators: ['placed'], cells: ['eu-2'] }] });
    const words = { error: 'ERR_VAL', message: 'the signature does not hold: not by any of the secrets' };
    for (const each of used.cells) each.answer({ status: 401, body: words });
    const signature = { 'x-roundhouse-signature': `v2=${'a'.repeat(64)}` };
    const answers: unknown[] = [];
    for (const operator of ['placed', 'nowhere']) {
      const headers = { 'x-roundhouse-operator': operator, ...signature };
      const requests = [
        send('GET', '/operator/rounds', undefined, headers),
        send('POST', '/operator/sessions', {}, headers),
        send('POST', '/operator/sessions', { playerID: 'anna' }, headers),
        send('GET', '/operator/rounds/7', undefined, headers),
      ];
      const shown = (await Promise.all(requests)).map(({ status, body, headers: of }) => [
        ...[status, body],
        [...of.keys()].filter((name) => name !== 'date'),
      ]);
      answers.push(shown);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0]).toEqual(Array(4).fill([401, words, expect.not.arrayContaining(['roundhouse-cell'])]));
    const sent = used.cells.flatMap(({ received }) => received).map(({ headers }) => headers);
    const signed = new Set(sent.map((each) => `${each['x-roundhouse-operator']} ${each['x-roundhouse-signature']}`));
    used.router.replace(fleetOfCells(used.cells));
    expect(signed).toEqual(new Set([`placed v2=${'a'.repeat(64)}`, `nowhere v2=${'0'.repeat(64)}`]));
  });

  it('a body has the limits of the server: 16 KiB, 4 MiB to give grants', async () => {
    const tooLarge = await send('POST', '/operator/sessions', 'x'.repeat(16 * 1024 + 1));
    expect(refusalOf(tooLarge)).toEqual([400, 'ERR_VAL']);
    const grants = JSON.stringify({ grants: [{ playerID: playerOf(3), pad: 'x'.repeat(4_000_000) }] });
    expect((await send('POST', '/operator/free-rounds/grants', grants)).body).toEqual({ cell: 3 });
    expect(cell(3).received[0]?.body).toBe(grants);
    const more = await send('POST', '/operator/free-rounds/grants', 'x'.repeat(4 * 1024 * 1024 + 1));
    expect(refusalOf(more)).toEqual([400, 'ERR_VAL']);
  });
});
