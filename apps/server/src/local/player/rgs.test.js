import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRgs, newIdempotencyKey } from './rgs.js';

const calls = [];

function rgsAnswering(answer) {
  calls.length = 0;
  vi.stubGlobal('fetch', vi.fn(answer));
  return createRgs({ rgsUrl: 'http://rgs.test', sessionID: 'secret', onCall: (call) => calls.push(call) });
}

afterEach(() => vi.unstubAllGlobals());

describe('the requests of the player page', () => {
  it('carry the session in the body and a play its idempotency key', async () => {
    const rgs = rgsAnswering(async () => Response.json({ balance: {}, round: {} }));
    await rgs.play({ amount: 1_000_000, mode: 'BASE', key: 'k1' });
    const [url, request] = fetch.mock.calls[0];
    expect(url).toBe('http://rgs.test/wallet/play');
    expect(request).toMatchObject({ method: 'POST', headers: { 'Idempotency-Key': 'k1' } });
    expect(JSON.parse(request.body)).toEqual({ sessionID: 'secret', amount: 1_000_000, mode: 'BASE' });
  });

  it('read a replay with GET, every part of the path escaped', async () => {
    const rgs = rgsAnswering(async () => Response.json({ state: [] }));
    await rgs.replay({ game: 'a b', version: '1.0.0', mode: 'BASE', event: '../1' });
    const [url, request] = fetch.mock.calls[0];
    expect(url).toBe('http://rgs.test/bet/replay/a%20b/1.0.0/BASE/..%2F1');
    expect(request).toMatchObject({ method: 'GET', body: null });
  });

  it('turn a refusal into an error with its code, and tell the log', async () => {
    const rgs = rgsAnswering(async () => Response.json({ error: 'ERR_IPB', message: 'Too little.' }, { status: 400 }));
    await expect(rgs.balance()).rejects.toMatchObject({ code: 'ERR_IPB', message: 'Too little.', status: 400 });
    expect(calls).toMatchObject([{ path: '/wallet/balance', status: 400, answer: { error: 'ERR_IPB' } }]);
  });

  it.each([
    ['no server', async () => Promise.reject(new TypeError('fetch failed'))],
    ['a page that is not JSON', async () => new Response('<html>')],
    ['an error without a code', async () => Response.json(null, { status: 502 })],
  ])('say NO_ANSWER for %s', async (_what, answer) => {
    await expect(rgsAnswering(answer).authenticate()).rejects.toMatchObject({ code: 'NO_ANSWER' });
    expect(calls).toHaveLength(1);
  });

  it('get a new key for each bet', () => {
    expect(newIdempotencyKey()).toMatch(/^[0-9a-f]{32}$/);
    expect(newIdempotencyKey()).not.toBe(newIdempotencyKey());
  });
});
