import { describe, expect, it } from 'vitest';
import { type GuardedServer, PATHS, post, startGuardedServer } from '../test/support/guardedServer.ts';

async function statuses(server: GuardedServer, paths: string[]): Promise<number[]> {
  const found: number[] = [];
  for (const path of paths) found.push((await post(server.url + path)).status);
  return found;
}

const WORKED = 201;
const REFUSED = 400;
const refuse = { kind: 'error', error: 'ERR_IPB' } as const;

describe('which calls are met', () => {
  it('none without a plan', async () => {
    const server = await startGuardedServer();
    expect(server.faults.plan()).toEqual({ faults: [] });
    expect(await statuses(server, PATHS)).toEqual([WORKED, WORKED]);
  });

  it('the next N, counted down in the plan, then none', async () => {
    const server = await startGuardedServer();
    server.faults.setPlan({ faults: [{ ...refuse, next: 2 }] });
    expect(await statuses(server, ['/debit'])).toEqual([REFUSED]);
    expect(server.faults.plan()).toEqual({ faults: [{ ...refuse, next: 1 }] });
    expect(await statuses(server, ['/credit', '/debit'])).toEqual([REFUSED, WORKED]);
    expect(server.faults.plan()).toEqual({ faults: [] });
  });

  it('those to the path alone, whatever their query; others are not counted', async () => {
    const server = await startGuardedServer();
    server.faults.setPlan({ faults: [{ ...refuse, path: '/credit', next: 2 }] });
    const paths = ['/debit', '/credit?round=1', '/credit/', '/CREDIT', '/credit', '/credit'];
    expect(await statuses(server, paths)).toEqual([WORKED, REFUSED, WORKED, WORKED, REFUSED, WORKED]);
  });

  it('never those to a path that is not guarded', async () => {
    const server = await startGuardedServer();
    server.faults.setPlan({ faults: [{ ...refuse, share: 1 }] });
    expect(await statuses(server, ['/', '/api/lobby', '/debit/x', '/debit'])).toEqual([
      WORKED,
      WORKED,
      WORKED,
      REFUSED,
    ]);
  });

  it('each by the first fault of the plan that applies, and by no other', async () => {
    const server = await startGuardedServer();
    const faults = [
      { kind: 'error', path: '/credit', next: 1 },
      { ...refuse, next: 2 },
      { kind: 'malformed_response', share: 1 },
    ];
    server.faults.setPlan({ faults });
    expect(await statuses(server, ['/debit', '/credit', '/credit', '/debit'])).toEqual([REFUSED, 500, REFUSED, 200]);
    expect(server.faults.injected()).toMatchObject({ error: 3, malformed_response: 1 });
  });

  it('a share of them, the same ones again for the same seed', async () => {
    const server = await startGuardedServer();
    const plan = { faults: [{ ...refuse, share: 0.4 }], seed: 11 };
    const calls = Array.from({ length: 40 }, () => '/debit');
    server.faults.setPlan(plan);
    const first = await statuses(server, calls);
    server.faults.setPlan(plan);
    expect(await statuses(server, calls)).toEqual(first);
    expect(new Set(first)).toEqual(new Set([WORKED, REFUSED]));
    expect(server.faults.plan()).toEqual(plan);
  });

  it('that of several players is affected by a fault of any of them', async () => {
    const server = await startGuardedServer();
    server.faults.setPlan({ faults: [{ ...refuse, path: '/debit', playerID: 'ann', next: 1 }] });
    const groups = ['{"players":["bob"]}', '{"players":["bob","ann"]}', '{"players":["ann"]}'];
    const found: number[] = [];
    for (const body of groups) found.push((await post(`${server.url}/debit`, body)).status);
    expect(found).toEqual([WORKED, REFUSED, WORKED]);
  });

  it('those of its player alone; the others reach the work as they came', async () => {
    const server = await startGuardedServer();
    server.faults.setPlan({ faults: [{ ...refuse, path: '/debit', playerID: 'ann', next: 2 }] });
    const bodies = ['{"player":"bob"}', '{"player":"ann"}', '{', '{"player":"ann"}', '{"player":"ann"}'];
    const found: number[] = [];
    for (const body of bodies) found.push((await post(`${server.url}/debit?q=1`, body)).status);
    expect(found).toEqual([WORKED, REFUSED, WORKED, REFUSED, WORKED]);
    expect(server.works.map(({ url, body }) => [url, body.toString()])).toEqual(
      [bodies[0], bodies[2], bodies[4]].map((body) => ['/debit?q=1', body]),
    );
  });

  it('none after the seconds that hold for a fault without its own', async () => {
    const server = await startGuardedServer({ defaultSeconds: 600 });
    server.faults.setPlan({
      faults: [
        { ...refuse, next: 1 },
        { ...refuse, share: 1, seconds: 30 },
      ],
    });
    expect(server.faults.plan().faults).toMatchObject([{ seconds: 600 }, { seconds: 30 }]);
  });

  it('none once it is cleared', async () => {
    const server = await startGuardedServer();
    server.faults.setPlan({ faults: [{ ...refuse, share: 1 }] });
    server.faults.clear();
    expect(await statuses(server, PATHS)).toEqual([WORKED, WORKED]);
    expect(server.faults.plan()).toEqual({ faults: [] });
  });
});

describe('what is not a valid plan changes nothing and says why', () => {
  const good = { faults: [{ ...refuse, next: 3 }], seed: 5 };

  it.each<[unknown, string]>([
    [undefined, 'plan: Invalid input: expected object, received undefined'],
    [[], 'plan: Invalid input: expected object, received array'],
    [{}, 'faults: Invalid input: expected array, received undefined'],
    [{ faults: [{ kind: 'fire', next: 1 }] }, 'faults.0.kind: Invalid option'],
    [{ faults: [refuse] }, 'faults.0: needs exactly one of next and share'],
    [{ faults: [{ ...refuse, next: 1, share: 0.5 }] }, 'faults.0: needs exactly one of next and share'],
    [{ faults: [{ ...refuse, next: 0 }] }, 'faults.0.next: Too small'],
    [{ faults: [{ ...refuse, next: 1.5 }] }, 'faults.0.next: Invalid input: expected int'],
    [{ faults: [{ ...refuse, share: 0 }] }, 'faults.0.share: Too small'],
    [{ faults: [{ ...refuse, share: 1.1 }] }, 'faults.0.share: Too big'],
    [{ faults: [{ kind: 'delay', next: 1 }] }, 'faults.0: delayMs belongs to the kind delay'],
    [{ faults: [{ kind: 'lost_request', delayMs: 5, next: 1 }] }, 'faults.0: delayMs belongs to the kind delay'],
    [{ faults: [{ kind: 'delay', delayMs: 0, next: 1 }] }, 'faults.0.delayMs: Too small'],
    [{ faults: [{ kind: 'delay', delayMs: 600_001, next: 1 }] }, 'faults.0.delayMs: Too big'],
    [
      { faults: [{ kind: 'lost_request', error: 'ERR_UE', next: 1 }] },
      'faults.0: error and afterWork belong to the kind error',
    ],
    [
      { faults: [{ kind: 'lost_request', afterWork: true, next: 1 }] },
      'faults.0: error and afterWork belong to the kind error',
    ],
    [{ faults: [{ kind: 'error', error: 'oops', next: 1 }] }, 'faults.0.error: Invalid string'],
    [{ faults: [{ kind: 'error', error: 'ERR_NO', next: 1 }] }, 'faults.0.error: must be one of ERR_UE, ERR_IPB'],
    [{ faults: [{ ...refuse, path: 'debit', next: 1 }] }, 'faults.0.path: Invalid string'],
    [
      { faults: [good.faults[0], { ...refuse, path: '/none', next: 1 }] },
      'faults.1.path: must be one of /debit, /credit',
    ],
    [{ faults: [], seed: -1 }, 'seed: Too small'],
  ])('%j', async (plan, message) => {
    const server = await startGuardedServer();
    server.faults.setPlan(good);
    expect(server.faults.setPlan(plan)).toEqual({ ok: false, message: expect.stringContaining(message) });
    expect(server.faults.plan()).toEqual(good);
    expect(await statuses(server, ['/debit'])).toEqual([REFUSED]);
  });

  it('too many faults', async () => {
    const server = await startGuardedServer();
    const many = (count: number) => ({ faults: Array.from({ length: count }, () => good.faults[0]) });
    expect(server.faults.setPlan(many(100)).ok).toBe(true);
    expect(server.faults.setPlan(many(101))).toEqual({
      ok: false,
      message: expect.stringContaining('faults: Too big'),
    });
    expect(server.faults.plan()).toEqual(many(100));
  });

  it('and a valid one is given back as it was read', async () => {
    const server = await startGuardedServer();
    expect(server.faults.setPlan({ ...good, note: 'unknown fields are ignored' })).toEqual({ ok: true, plan: good });
  });

  it('nobody changes a plan at work through what was handed in or out', async () => {
    const server = await startGuardedServer();
    const plan = structuredClone(good);
    server.faults.setPlan(plan);
    plan.faults.pop();
    server.faults.plan().faults.pop();
    expect(server.faults.plan()).toEqual(good);
  });
});
