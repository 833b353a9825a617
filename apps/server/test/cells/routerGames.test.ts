import { describe, expect, it } from 'vitest';
import { useRouter } from './useRouter.ts';

const { used, cell, counts, send } = useRouter({
  cells: 3,
  home: 'eu-2',
  trustedProxies: ['loopback'],
});

const marked = (id: number) => `acme:c${id}.${'a'.repeat(32)}`;

describe('games', () => {
  it.each(['/wallet/authenticate', '/wallet/play', '/bet/event', '/fairness/seeds'])(
    '%s goes to the cell that has made the session, or to the home of its operator',
    async (path) => {
      expect((await send('POST', path, { sessionID: marked(3) })).body).toEqual({ cell: 3 });
      expect((await send('POST', path, { sessionID: 'acme:their-own' })).body).toEqual({ cell: 2 });
      expect(counts()).toEqual([0, 1, 1]);
    },
  );

  it.each([[{}], [{ sessionID: 7 }], [{ sessionID: 'no-operator' }], ['no JSON']])(
    'a body %j that names no cell is ERR_VAL, which a page may read',
    async (body) => {
      const { status, body: received, headers } = await send('POST', '/wallet/play', body);
      expect([status, received.error]).toEqual([400, 'ERR_VAL']);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(counts()).toEqual([0, 0, 0]);
    },
  );

  it('a preflight is allowed, and a replay comes from any cell', async () => {
    const asked = 'content-type,traceparent';
    const { headers } = await send('OPTIONS', '/wallet/play', undefined, { 'access-control-request-headers': asked });
    expect(headers.get('access-control-allow-methods')).toContain('POST');
    expect(headers.get('access-control-allow-headers')).toBe(asked);
    expect((await send('GET', '/bet/replay/g/1/BASE/7')).body).toEqual({ cell: 1 });
  });

  it('a launch without a player goes to the home cell', async () => {
    expect((await send('POST', '/operator/sessions', {})).body).toEqual({ cell: 2 });
  });
});

describe('dialects', () => {
  it('begin at any cell, and follow the cell that its response names, in whatever words', async () => {
    cell(1).answer({ status: 200, headers: { 'roundhouse-cell': '3' }, body: { status: 'RS_ERROR' } });
    const { body, headers } = await send('POST', '/dialects/acme/game/url?x=%20', '{"a":1}');
    expect([body, headers.get('roundhouse-cell')]).toEqual([{ cell: 3 }, '3']);
    expect(cell(3).received[0]).toMatchObject({ url: '/dialects/acme/game/url?x=%20', body: '{"a":1}' });
    expect(cell(3).received[0]?.headers['roundhouse-asked']).toBe('1@1');
    expect(counts()).toEqual([1, 0, 1]);
  });

  it('a response that names the cell itself is the response', async () => {
    cell(1).answer({ status: 503, headers: { 'roundhouse-cell': '1' }, body: 'closed' });
    const { status, text } = await send('GET', '/dialects/acme/anything');
    expect([status, text]).toEqual([503, 'closed']);
  });

  it('have bodies of 64 KiB at most', async () => {
    expect((await send('POST', '/dialects/acme/x', 'x'.repeat(64 * 1024))).status).toBe(200);
    expect((await send('POST', '/dialects/acme/x', 'x'.repeat(64 * 1024 + 1))).status).toBe(400);
  });
});

it('a trusted proxy names the client, and the router adds itself', async () => {
  await send('GET', '/operator/games', undefined, {
    'x-forwarded-for': '198.51.100.7',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'rgs.example.com',
  });
  expect(cell(1).received[0]?.headers).toMatchObject({
    'x-forwarded-for': '198.51.100.7, 127.0.0.1',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'rgs.example.com',
  });
});

it('a large response is passed on piece by piece, and one that is cut is cut for the client too', async () => {
  const large = 'x'.repeat(20 * 1024 * 1024);
  cell(3).answer({ body: large });
  const { text } = await send('POST', '/fairness/export', { sessionID: marked(3) });
  expect(text).toHaveLength(large.length);
  cell(3).answer({ body: 'short', headers: { 'x-cut': '1' } });
  const response = fetch(`${used.url}/fairness/export`, {
    method: 'POST',
    body: JSON.stringify({ sessionID: marked(3) }),
  });
  await expect(response.then((each) => each.text())).rejects.toThrow();
  expect((await send('GET', '/operator/games')).status).toBe(200);
});
