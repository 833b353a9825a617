import { describe, expect, it } from 'vitest';
import { BOOK, fixtureEvents } from '../../support/fixtureGame.ts';
import { sendRaw } from '../../support/rawHttp.ts';
import { expectNothingChanged, expectRefusal } from '../../support/snapshot.ts';
import { UNIT, useTestServer } from '../../support/testServer.ts';

const server = useTestServer({ local: false });

const sendReplay = (method: string, path: string) => sendRaw(server.url, method, `/bet/replay/${path}`);

describe('a replay', () => {
  it.each([
    { path: 'BASE/2', mode: 'base', payoutMultiplier: 1.5, costMultiplier: 1 },
    { path: 'base/1', mode: 'base', payoutMultiplier: 0, costMultiplier: 1 },
    { path: 'Ante/3', mode: 'Ante', payoutMultiplier: 0.2, costMultiplier: 1.25 },
    { path: 'bonus/4', mode: 'BONUS', payoutMultiplier: 1000, costMultiplier: 100 },
  ])('is a published book, without a session: $path', async ({ path, mode, ...multipliers }) => {
    const { status, body } = await server.send(`/bet/replay/fixture/1.0.0/${path}`);
    expect(status).toBe(200);
    expect(body).toEqual({ ...multipliers, state: fixtureEvents(mode, multipliers.payoutMultiplier * 100) });
  });

  it('is cacheable for ever, and moves nothing', async () => {
    const path = `/bet/replay/fixture/1.0.0/BASE/${BOOK.pays100000}?amount=${UNIT}`;
    const { headers } = await expectNothingChanged(server, () => server.send(path));
    const caching = headers.get('cache-control') ?? '';
    expect(caching).toMatch(/\bpublic\b.*\bimmutable\b/);
    expect(Number(/max-age=(\d+)/.exec(caching)?.[1])).toBeGreaterThanOrEqual(31_536_000);
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  const PATH = 'at this path';
  const BOOK_ID = 'no such book';
  const BOOKS = ['99', '0', '-1', '01', '1.0', '1e0', '0x1', '+1', '%201', '1%20', '1%00', '%D9%A1', 'two'];
  it.each<[about: string, ...paths: string[]]>([
    // These have no UTF-8, an overlong slash, a wrong number of segments, or are very long.
    [PATH, 'fixture/1.0.0/BASE/%', 'fixture/1.0.0/%ff/1', '..%c0%af/1.0.0/BASE/1', 'fixture/1.0.0/BASE'],
    [PATH, 'fixture/1.0.0/BASE/1/2', 'fixture//BASE/1', 'fixture/1.0.0/BASE/1/', `fixture${'/a'.repeat(7_000)}`],
    [BOOK_ID, '..%2f..%2fetc/1.0.0/BASE/passwd', '__proto__/constructor/toString/1', 'other/1.0.0/BASE/1'],
    [BOOK_ID, 'fixture/9.9.9/BASE/1', 'fixture/1.0.0/NONE/1'],
    [BOOK_ID, ...[...BOOKS, '9007199254740993', '9'.repeat(400)].map((book) => `fixture/1.0.0/BASE/${book}`)],
  ])('of nothing is 404, %s, which is not cached for ever', async (about, ...paths) => {
    for (const path of paths) {
      const response = await expectNothingChanged(server, () => sendReplay('GET', path));
      expectRefusal(response, 'NOT_FOUND', about);
      expect(response.headers.get('cache-control') ?? '').not.toContain('immutable');
    }
  });

  it.each(['POST', 'PUT', 'DELETE'])('by %s is 404', async (method) => {
    const send = () => sendReplay(method, 'fixture/1.0.0/BASE/1');
    expectRefusal(await expectNothingChanged(server, send), 'NOT_FOUND', PATH);
  });
});
