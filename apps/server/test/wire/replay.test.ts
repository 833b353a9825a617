import { describe, expect, test } from 'vitest';
import { UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { snapshot } from '../support/snapshot.ts';

const server = useCheckedServer({ local: false });
const state = (mode: string, hundredths: number) => [
  {
    index: 0,
    type: 'reveal',
    mode,
    board: [
      ['A', 'B'],
      ['Ä', '漢'],
    ],
  },
  { index: 1, type: 'finalWin', amount: hundredths },
];

describe('replay', () => {
  test.each([
    { path: 'BASE/2', body: { payoutMultiplier: 1.5, costMultiplier: 1, state: state('base', 150) } },
    { path: 'base/1', body: { payoutMultiplier: 0, costMultiplier: 1, state: state('base', 0) } },
    { path: 'Ante/3', body: { payoutMultiplier: 0.2, costMultiplier: 1.25, state: state('Ante', 20) } },
    { path: 'bonus/4', body: { payoutMultiplier: 1000, costMultiplier: 100, state: state('BONUS', 100_000) } },
  ])('answers a published book without a session: $path', async ({ path, body }) => {
    const answer = await server.send(`/bet/replay/fixture/1.0.0/${path}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(body);
  });

  test('is cacheable for ever', async () => {
    const { headers } = await server.send(`/bet/replay/fixture/1.0.0/BASE/${BOOK.pays150}`);
    const caching = headers.get('cache-control') ?? '';
    expect(caching).toMatch(/\bpublic\b/);
    expect(caching).toMatch(/\bimmutable\b/);
    expect(Number(/max-age=(\d+)/.exec(caching)?.[1])).toBeGreaterThanOrEqual(31_536_000);
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  test.each([
    ['game', 'other/1.0.0/BASE/2'],
    ['game that is a name of JavaScript', '__proto__/constructor/BASE/2'],
    ['version', 'fixture/1.0.1/BASE/2'],
    ['mode', 'fixture/1.0.0/SUPER/2'],
    ['book', 'fixture/1.0.0/BASE/5'],
    ['book 0', 'fixture/1.0.0/BASE/0'],
    ['book beyond all numbers', 'fixture/1.0.0/BASE/99999999999999999999'],
    ['negative book', 'fixture/1.0.0/BASE/-2'],
    ['book that is not a number', 'fixture/1.0.0/BASE/two'],
    ['book with a fraction', 'fixture/1.0.0/BASE/2.0'],
    ['book in another writing', 'fixture/1.0.0/BASE/02'],
    ['path with too few parts', 'fixture/1.0.0/BASE'],
    ['path with too many parts', 'fixture/1.0.0/BASE/2/3'],
  ])('an unknown %s is 404, which is not cached for ever', async (_what, path) => {
    const { status, headers, body } = await server.send(`/bet/replay/${path}`);
    expect([status, body.error]).toEqual([404, 'ERR_VAL']);
    expect(headers.get('cache-control') ?? '').not.toContain('immutable');
  });

  test('is a GET, and moves nothing', async () => {
    const before = await snapshot(server, '');
    await server.send(`/bet/replay/fixture/1.0.0/BASE/${BOOK.pays100000}?amount=${UNIT}`);
    const posted = await server.send(`/bet/replay/fixture/1.0.0/BASE/${BOOK.pays100000}`, { method: 'POST' });
    expect(posted.status).toBe(404);
    expect(await snapshot(server, '')).toEqual(before);
  });
});
